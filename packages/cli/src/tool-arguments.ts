import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Tool } from "@debug-bridge/mcp";
import { BridgeError, similarity } from "@debug-bridge/protocol";
import { UsageError } from "./usage-error.js";

/** Fields that need no name, in their order after the session. */
const WORDS: Record<string, readonly string[]> = {
  eval: ["code"],
  find: ["text"],
  act: ["type"],
  why: ["record"],
};
/** A suggestion for a shorter word would be a guess. */
const MIN_SUGGESTED = 3;
/** Fields that need no name after the type of an action. */
const WORDS_OF_ACT: Record<string, readonly string[]> = {
  click: ["target"],
  hover: ["target"],
  type: ["target", "text"],
  press: ["key", "target"],
  select: ["target", "values"],
  scroll: ["to"],
  drag: ["source", "target"],
  navigate: ["url"],
  wait_for: ["text"],
  dialog: ["action", "text"],
  set_files: ["target", "files"],
  call_tool: ["name", "input"],
};

/**
 * The input of a tool from the words of a shell: the session, then the usual fields in their order, then everything
 * else as NAME=VALUE. The tool's schema validates it.
 *
 * @example readArguments(act, ["my-app", "type", "e12", "Ada", "submit=true"])
 */
export function readArguments(tool: Tool, given: readonly string[]): Record<string, unknown> {
  const texts: Record<string, string> = {};
  const words: string[] = [];
  for (const argument of given) {
    const at = argument.indexOf("=");
    if (at > 0 && Object.hasOwn(tool.input.shape, argument.slice(0, at)))
      texts[argument.slice(0, at)] = argument.slice(at + 1);
    else words.push(argument);
  }
  if (tool.name === "act" && texts.actions === undefined) assertAction(words, texts.type);
  const names = namesOf(tool, words, texts);
  for (const [i, word] of words.entries()) {
    const name = names[i];
    // Code can look like a field; any other word that does has a misspelled name.
    if (name === undefined || (name !== "code" && /^[A-Za-z]\w*=/.test(word))) throw unknown(tool, word);
    texts[name] = word;
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, readValue(tool, name, text)]));
}

/** The action is the first word, or the second after a session. */
function assertAction(words: readonly string[], type: string | undefined): void {
  const given = type === undefined ? words.slice(0, 2) : [type];
  if (given.some((word) => Object.hasOwn(WORDS_OF_ACT, word))) return;
  const actions = Object.keys(WORDS_OF_ACT);
  const [close] = given
    .filter(({ length }) => length >= MIN_SUGGESTED)
    .flatMap((word) => actions.map((action) => ({ word, action, likeness: similarity(word, action) })))
    .filter(({ likeness }) => likeness >= 0.6)
    .toSorted((a, b) => b.likeness - a.likeness);
  if (close) throw new UsageError(`unknown action "${close.word}"; did you mean ${close.action}?`);
  const last = given.at(-1);
  const what = words.length > 1 || type !== undefined ? `unknown action "${last}"` : "an action is missing";
  throw new UsageError(`${what}; use ${actions.join(", ")}`);
}

/** Which field each word is. */
function namesOf(tool: Tool, words: readonly string[], texts: Record<string, string>): string[] {
  const names = (WORDS[tool.name] ?? []).filter((name) => texts[name] === undefined);
  if (texts.actions !== undefined) return ["session"];
  const isAct = tool.name === "act" && names.length > 0;
  const hasSession = isAct
    ? !Object.hasOwn(WORDS_OF_ACT, words[0] ?? "")
    : words.length > names.length || isSession(tool.name, words[0] ?? "", texts);
  const type = words[hasSession ? 1 : 0] ?? "";
  // Every object has a "toString", which is no type of an action.
  if (isAct && Object.hasOwn(WORDS_OF_ACT, type)) names.push(...(WORDS_OF_ACT[type] ?? []));
  return hasSession ? ["session", ...names] : names;
}

/** Whether the only word can be nothing else: records have numbers, and who names a source looks for no text. */
const isSession = (tool: string, word: string, texts: Record<string, string>): boolean =>
  (tool === "why" && !/^\d*$/.test(word)) || (tool === "find" && texts.source !== undefined);

/**
 * JSON if the schema accepts that, else text; for a list, a list of one; for a target, a ref, selector or text; for files,
 * one of this machine.
 */
function readValue(tool: Tool, name: string, text: string): unknown {
  if (name === "files" && !text.startsWith("[")) return [readFile(text)];
  const schema = tool.input.shape[name] as { safeParse(value: unknown): { success: boolean } };
  const readings = [asJson(text), text, [text], asTarget(text)];
  const fitting = readings.find((reading) => reading !== undefined && schema.safeParse(reading).success);
  // What fits in no way is refused for what it most likely is: of a number that is too large, the limit is named.
  return fitting ?? asJson(text) ?? text;
}

function readFile(path: string): { name: string; data: string } {
  try {
    return { name: basename(path), data: readFileSync(path).toString("base64") };
  } catch (thrown) {
    throw new BridgeError(
      "target_not_found",
      `the file ${path} cannot be read: ${(thrown as Error).message}`,
    );
  }
}

/** Quoted text stays as it is: the shell has removed its own quotes already. */
function asJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A ref, a CSS selector, or the text of the element. */
function asTarget(text: string): object {
  if (/^(?:f\d+)?e\d+$/.test(text)) return { ref: text };
  return /^[#.[]/.test(text) ? { selector: text } : { text };
}

function unknown(tool: Tool, word: string): UsageError {
  const fields = Object.keys(tool.input.shape).filter((name) => name !== "session");
  const field = /^(\w+)=/.exec(word)?.[1];
  const what = field ? `${tool.name} has no field "${field}"` : `unexpected argument "${word}"`;
  return new UsageError(
    `${what}; the fields are ${fields.join(", ")}, each as NAME=VALUE. See debug-bridge ${tool.name} --help`,
  );
}
