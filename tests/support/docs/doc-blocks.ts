import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow, packages } from "../../../scripts/lib/packages.mjs";
import { ROOT } from "../../fixtures.js";

/** The pages that people read: README, docs, and the README of each package. */
export const PAGES: readonly string[] = [
  join(ROOT, "README.md"),
  ...(filesBelow(join(ROOT, "docs"), (path: string) => path.endsWith(".md")) as string[]).sort(),
  ...(packages() as { dir: string }[]).map(({ dir }) => join(dir, "README.md")),
]
  .filter((path) => existsSync(path))
  .map((path) => relative(ROOT, path));

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** `docs/why.md:7` */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

const FENCE = /^( *)```(\w*)([^\n]*)\n(.*?)^ *```$/gms;

export function blocksOf(page: string): Block[] {
  const whole = readFileSync(join(ROOT, page), "utf8");
  return [...whole.matchAll(FENCE)].map(({ index, 2: language = "", 4: text = "" }) => ({
    page,
    place: `${page}:${whole.slice(0, index).split("\n").length}`,
    language,
    text,
  }));
}

/**
 * The commands of a block of shell lines, each as its words. What is between quotes is one word; comments, pipes, redirections and `&`
 * end a command.
 *
 * @example commandsOf('a "b c" | d # e') // [["a", "b c"], ["d"]]
 */
export function commandsOf(text: string): string[][] {
  const commands: string[][] = [[]];
  const tokens = text
    .replaceAll("\\\n", " ")
    .matchAll(/#[^\n]*|[|&;\n]+|<<<|>+|(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"|&;<>])+/g);
  let isComment = false;
  let isTarget = false;
  for (const { 0: token } of tokens) {
    if (/^[|&;\n]/.test(token)) {
      commands.push([]);
      isComment = false;
    } else if (/^[<>]/.test(token)) isTarget = true;
    else if (token.startsWith("#")) isComment = true;
    else if (isTarget) isTarget = false;
    else if (!isComment) commands.at(-1)?.push(unquoted(token));
  }
  return commands.filter(({ length }) => length > 0);
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, plain?: string, escaped?: string) =>
    plain === undefined ? (escaped ?? "").replace(/\\(["$\\`])/g, "$1") : plain,
  );
