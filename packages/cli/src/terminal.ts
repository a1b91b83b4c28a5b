import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const wanted = (stream: NodeJS.WriteStream): boolean =>
  process.env.NO_COLOR ? false : process.env.FORCE_COLOR ? true : stream.isTTY === true;

/** Coloured where there is a terminal, plain where there is not. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return wanted(stream) ? styleText(style, text) : text;
}
