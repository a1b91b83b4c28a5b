import { render, terminalFeatures } from "./style.js";

/**
 * The only place of the command line that writes. Text of pages, agents and files passes through here, where control
 * characters are removed; colours, links and cursor movements that were marked are added afterwards.
 */

/** Writes one line to standard output. */
export function printLine(text = ""): void {
  printText(`${text}\n`);
}

/** Writes text to standard output as it is, without a line end. */
export function printText(text: string): void {
  process.stdout.write(render(text, terminalFeatures(process.stdout)));
}

/** Writes one line to standard error: messages for people, apart from the data. */
export function printMessage(text: string): void {
  printMessageText(`${text}\n`);
}

export function printMessageText(text: string): void {
  process.stderr.write(render(text, terminalFeatures(process.stderr)));
}

/** Characters that JSON leaves as they are and a terminal obeys: DEL, C1, line separators, and bidi controls. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON in which every character that a terminal would obey is escaped. */
export function toJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent) ?? "null";
  return json.replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Writes a value as one line of JSON; resolves when the reader has taken it. */
export function printJson(value: unknown, indent?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${toJson(value, indent)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes what a program reads, or constants of ours that control the terminal: no text of others that a person reads. */
export function printRaw(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(text);
}
