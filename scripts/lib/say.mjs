import { styleText } from "node:util";

const colour = process.stderr.isTTY && !process.env.NO_COLOR;

/** Progress goes to stderr: stdout belongs to the command that is being set up. */
export function say(text) {
  process.stderr.write(`${colour ? styleText("cyan", "▸") : ">"} ${text}\n`);
}

/** Ends the script with a message that says what to do. */
export function fail(text) {
  process.stderr.write(`${colour ? styleText("red", "✗") : "x"} ${text}\n`);
  process.exit(1);
}
