import { realpathSync } from "node:fs";

/** The words with which this program is started again, from any folder. */
export function thisProgram(): [string, ...string[]] {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}

/** The same for a shell. */
export function shellCommand(): string {
  return thisProgram()
    .map((path) => `"${path}"`)
    .join(" ");
}
