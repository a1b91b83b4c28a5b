import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** How output looks: with colours and links on a terminal, plain elsewhere. `width` is that of the terminal. */
export interface Style {
  readonly isTerminal: boolean;
  readonly width: number;
  paint(format: Format, text: string): string;
  link(text: string, url: string): string;
}

const ESCAPE = "\u001b";

export function styleFor(
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Style {
  const isTerminal = stream.isTTY === true;
  const colours = env.NO_COLOR ? false : env.FORCE_COLOR ? true : isTerminal;
  return {
    isTerminal,
    width: isTerminal ? Math.max(40, stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    paint: (format, text) =>
      colours && text !== "" ? styleText(format, text, { validateStream: false }) : text,
    link: (text, url) =>
      isTerminal && colours ? `${ESCAPE}]8;;${url}${ESCAPE}\\${text}${ESCAPE}]8;;${ESCAPE}\\` : text,
  };
}

const graphemes = new Intl.Segmenter();
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

/** How many columns of a terminal a text takes: without colours and links, and two for wide characters. */
export function visibleLength(text: string): number {
  const plain = stripStyles(text);
  if (/^[\u0000-\u02ff]*$/.test(plain)) return plain.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(plain)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** Text without the escape sequences that `paint` and `link` write. */
function stripStyles(text: string): string {
  return text.replace(/\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g, "");
}
