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
const [LINK, LINK_TEXT, LINK_END] = [`\u{e0f2}${KEY}`, `\u{e0f3}${KEY}`, `\u{e0f4}${KEY}`];
const MARK = new RegExp(`${START}([a-z,A-Z]*);|${END}`, "g");
const LINKED = new RegExp(`${LINK}([^\u{e0f3}]*)${LINK_TEXT}|${LINK_END}`, "gu");
const LINE_ABOVE = `\u{e0f5}${KEY}`;
const ESCAPE = "\u001b";
const ERASE_LINE_ABOVE = `${ESCAPE}[1A${ESCAPE}[2K`;

/** Marks text to be coloured on a terminal. */
export function paint(style: Style, text: string): string {
  return `${START}${[style].flat().join(",")};${text}${END}`;
}

/** Marks text to be a link on a terminal. */
export function link(text: string, url: string): string {
  return `${LINK}${url.replaceAll("\u{e0f3}", "")}${LINK_TEXT}${text}${LINK_END}`;
}

/** Marks text to be written in place of the line above it, on a terminal; elsewhere it follows that line. */
export function inPlaceOfLineAbove(text: string): string {
  return `${LINE_ABOVE}${text}`;
}

/** Text without its marks. */
function unmarked(text: string): string {
  return text.replace(LINKED, "").replace(MARK, "").replaceAll(LINE_ABOVE, "");
}

/** Pads text to a width, without counting its marks. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - unmarked(text).length));
}

const graphemes = new Intl.Segmenter();
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

/** How many columns of a terminal a text takes: without its marks, and two for wide characters. */
export function visibleLength(text: string): number {
  const plain = unmarked(text);
  if (/^[\u0000-\u02ff]*$/.test(plain)) return plain.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(plain)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** What a stream can show in addition to text. */
export interface TerminalFeatures {
  readonly hasColours: boolean;
  /** Whether it obeys escape sequences that move the cursor. */
  readonly isTerminal: boolean;
}

export const PLAIN: TerminalFeatures = { hasColours: false, isTerminal: false };
export const COLOURED: TerminalFeatures = { hasColours: true, isTerminal: true };

/**
 * Text as a terminal may get it: without control characters, and with the colours, links and cursor movements that were
 * marked. Carriage returns go too: what follows one would be shown in place of what is before it.
 */
export function render(text: string, { hasColours, isTerminal }: TerminalFeatures): string {
  const open: Style[] = [];
  const hasLinks = hasColours && isTerminal;
  const safe = stripControlCharacters(text)
    .replaceAll("\r", "")
    .replaceAll(LINE_ABOVE, isTerminal ? ERASE_LINE_ABOVE : "")
    .replace(LINKED, (_mark, url?: string) => (hasLinks ? `${ESCAPE}]8;;${url ?? ""}${ESCAPE}\\` : ""));
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

const PLACE = "\u{e0f6}";
const around = (style: Style): [string, string] => {
  const [before = "", after = ""] = styleText(style, PLACE, { validateStream: false }).split(PLACE);
  return [before, after];
};
const opening = (style: Style): string => around(style)[0];
const closing = (style: Style): string => around(style)[1];

/** The features of a stream: a terminal shows colours. `NO_COLOR` turns them off, `FORCE_COLOR` on. */
export function terminalFeatures(
  stream: { isTTY?: boolean | undefined },
  env: NodeJS.ProcessEnv = process.env,
): TerminalFeatures {
  const isTerminal = stream.isTTY === true;
  return { isTerminal, hasColours: env.NO_COLOR ? false : env.FORCE_COLOR ? true : isTerminal };
}
