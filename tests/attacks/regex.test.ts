import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, it } from "vitest";
import { ROOT } from "../fixtures.js";

/** Long enough that a match in quadratic time takes a hundred milliseconds, and one in linear time less than one. */
const LENGTH = 12_000;

/** Expressions that see only what this machine or the person writes. */
const OWN_TEXT = new Set([
  String.raw`/\/+$/`, // the address of a hub
  "/not.*brand/i", // the brands that Chrome itself names
]);

interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

/** Folders with the code of libraries, in bundles too, and the chat's bundle in the extension. What those of the chat do with hostile text is in packages/ui/src/markdown/hostile.test.ts. */
const LIBRARIES = new Set(["vendor", "node_modules", "page", "lib", "bundle"]);
const OWN_SCRIPT = /^(?!.*\.bundle\.|panel).*\.js$/;

function* scripts(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      if (!LIBRARIES.has(name)) yield* scripts(path);
    } else if (OWN_SCRIPT.test(name) && statSync(path).size < 400_000) yield path;
  }
}

/** Every regular expression in the built packages, once. */
function expressions(): Expression[] {
  const found = new Map<string, Expression>();
  for (const name of readdirSync(join(ROOT, "packages"))) {
    for (const file of scripts(join(ROOT, "packages", name, "dist"))) collect(file, found);
  }
  return [...found.values()];
}

function collect(file: string, found: Map<string, Expression>): void {
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (typeof regex?.pattern === "string")
      found.set(`/${regex.pattern}/${regex.flags}`, { source: regex.pattern, flags: regex.flags, file });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(file, "utf8")));
}

/** Texts that repeat a part of what an expression looks for, and then do not end as it wants. */
function* hostileTexts(source: string): Generator<string> {
  const signs = source.replace(/\\[a-zA-Z]/g, "").match(/[^\\^$.*+?()[\]{}|]/g) ?? [];
  const escaped = (source.match(/\\([^a-zA-Z0-9])/g) ?? []).map((sign) => sign.slice(1));
  const words = (source.match(/[A-Za-z:/<!-]{2,}/g) ?? []).slice(0, 8);
  const parts = new Set([...signs.slice(0, 14), ...escaped, ...words, ..." a0\n\t-&A(", "a0", "a "]);
  for (const part of parts)
    for (const start of new Set(["", ...words.slice(0, 3)]))
      for (const end of ["\u0001", "a"]) yield start + part.repeat(Math.ceil(LENGTH / part.length)) + end;
}

/** The processor time of one match, in milliseconds. */
function timeOf(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const before = process.cpuUsage();
  if (expression.global) text.replace(expression, "");
  else expression.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A third of what a match in quadratic time takes on this machine. */
const MAX_MS = Math.min(...Array.from({ length: 3 }, () => timeOf(/a+b/, "a".repeat(LENGTH)))) / 3;

function isSlow({ source, flags }: Expression): boolean {
  const expression = new RegExp(source, flags);
  for (const text of hostileTexts(source)) {
    // The garbage of other tests may have taken the time: what is slow is slow every time.
    let tries = 0;
    while (tries < 4 && timeOf(expression, text) > MAX_MS) tries++;
    if (tries === 4) return true;
  }
  return false;
}

it("finds an expression that takes quadratic time", () => {
  for (const source of ["([A-Z]\\w*)\\.astro$", "\\s+$", "a.*b.*c$"])
    expect(isSlow({ source, flags: "", file: "" }), source).toBe(true);
});

it("V9, V17: no regular expression over foreign text takes more than linear time", () => {
  const all = expressions();
  expect(all.length).toBeGreaterThan(200);
  const slow = all
    .filter(({ source, flags }) => /[+*}]/.test(source) && !OWN_TEXT.has(`/${source}/${flags}`))
    .filter(isSlow)
    .map(({ source, file }) => `/${source}/ in ${file.slice(ROOT.length)}`);
  expect(slow).toEqual([]);
});
