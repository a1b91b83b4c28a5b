import { randomBytes } from "node:crypto";
import { styleText } from "node:util";
import { stripControlCharacters } from "@debug-bridge/protocol";

export type Style = Parameters<typeof styleText>[0];

/**
 * Colours are marked, not written: a mark is a style between two characters of a private area, with a random number
 * that no page can know. The writer strips control characters first and turns marks into colours afterwards.
 */
const KEY = randomBytes(8).toString("hex");
const [START, END] = [`\u{e0f0}${KEY}`, `\u{e0f1}${KEY}`];
const MARK = new RegExp(`${START}([a-z,A-Z]*);|${END}`, "g");

/** Marks text to be coloured on a terminal. */
export function paint(style: Style, text: string): string {
  return `${START}${[style].flat().join(",")};${text}${END}`;
}

/** Pads text to a width, without counting its marks. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - text.replace(MARK, "").length));
}

/**
 * Text as a terminal may get it: without control characters, and with the colours that `paint` marked. Carriage returns
 * go too: what follows one would be shown in place of what stands before it.
 */
export function render(text: string, hasColours: boolean): string {
  const open: Style[] = [];
  const safe = stripControlCharacters(text).replaceAll("\r", "");
  return safe.replace(MARK, (_mark, names?: string) => {
    if (names === undefined) {
      const style = open.pop();
      return style && hasColours ? closing(style) : "";
    }
    const style = names.split(",") as Style;
    open.push(style);
    return hasColours ? opening(style) : "";
  });
}

const PLACE = "\u{e0f2}";
const around = (style: Style): [string, string] => {
  const [before = "", after = ""] = styleText(style, PLACE, { validateStream: false }).split(PLACE);
  return [before, after];
};
const opening = (style: Style): string => around(style)[0];
const closing = (style: Style): string => around(style)[1];

/** Whether a stream shows colours: a terminal does. `NO_COLOR` turns them off, `FORCE_COLOR` on. */
export function hasColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): boolean {
  return env.NO_COLOR ? false : env.FORCE_COLOR ? true : stream.isTTY === true;
}
