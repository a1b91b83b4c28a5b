import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** How output looks: coloured and linked on a terminal, plain elsewhere. Width is that of the terminal. */
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

/** Length of what is seen of a text: without colours and links. */
export function visibleLength(text: string): number {
  return stripStyles(text).length;
}

/** Text without the escape sequences that `paint` and `link` write. */
export function stripStyles(text: string): string {
  return text.replace(/\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g, "");
}
