import { styleText } from "node:util";

const colour = process.stderr.isTTY && !process.env.NO_COLOR;

/** Prints progress to stderr: stdout belongs to the command that is being set up. */
export function log(text) {
  process.stderr.write(`${colour ? styleText("cyan", "▸") : ">"} ${text}\n`);
}

/** Prints an error and ends the script. */
export function fail(text) {
  process.stderr.write(`${colour ? styleText("red", "✗") : "x"} ${text}\n`);
  process.exit(1);
}
