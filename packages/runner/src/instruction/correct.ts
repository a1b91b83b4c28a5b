import { nearest } from "@debug-bridge/protocol";
import { browserInstructionSchema } from "@debug-bridge/protocol/schemas";
import { ACTIONS, EXAMPLE_VALUES, FIELDS, NEEDED } from "./fields.js";
import { printInstruction } from "./print.js";

/** Other names that models use for our fields and actions. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  goto: "navigate",
  open: "start",
  launch: "start",
  close: "stop",
  quit: "stop",
  fill: "type",
  input: "type",
  tap: "click",
  eval: "evaluate",
  script: "evaluate",
  key: "press",
  sleep: "wait",
  look: "observe",
  snapshot: "observe",
  tab: "switch",
  href: "url",
  link: "url",
  target: "targets",
  css: "selector",
  timeout: "timeoutMs",
  expression: "code",
  javascript: "code",
};

/** The name that was probably meant. */
export function meant(word: string, known: readonly string[]): string | undefined {
  const other = Object.hasOwn(ALSO_CALLED, word.toLowerCase()) ? ALSO_CALLED[word.toLowerCase()] : undefined;
  return other && known.includes(other) ? other : nearest(word, known, (name) => [name], 1)[0];
}

/**
 * The valid instruction closest to an invalid one: correct fields stay, wrong ones become examples. The parser always
 * accepts it.
 */
export function correctedForm(fields: Readonly<Record<string, string>>): string {
  const type = ACTIONS.includes(fields.type ?? "")
    ? (fields.type as string)
    : (meant(fields.type ?? "", ACTIONS) ?? "start");
  const known = FIELDS.get(type) as readonly string[];
  const kept: Record<string, string> = { type };
  for (const [name, value] of Object.entries(fields)) {
    const field = known.includes(name) ? name : meant(name, known);
    if (field !== undefined && field !== "type" && !Object.hasOwn(kept, field)) kept[field] = value;
  }
  addNeeded(kept);
  if (isHttpWithoutProtocol(kept.url)) kept.url = `http://${kept.url}`;
  // What was typed may be a secret, and errors are logged.
  if (kept.text !== undefined && kept.type === "type") kept.text = EXAMPLE_VALUES.text as string;
  for (let round = 0; round < known.length; round++) {
    const verdict = browserInstructionSchema.safeParse(kept);
    if (verdict.success) return printInstruction(kept);
    const field = String(verdict.error.issues[0]?.path[0] ?? "");
    if (field in kept && field !== "type" && kept[field] !== EXAMPLE_VALUES[field]) {
      kept[field] = EXAMPLE_VALUES[field] as string;
    } else break;
  }
  const least: Record<string, string> = { type };
  addNeeded(least);
  return printInstruction(least);
}

function addNeeded(fields: Record<string, string>): void {
  const named = ["selector", "ref", "xRange", "yRange"].some((way) => fields[way] !== undefined);
  for (const field of NEEDED[fields.type as string] ?? []) {
    if (field === "targets" && named) continue;
    fields[field] ??= EXAMPLE_VALUES[field] as string;
  }
  if (fields.xRange !== undefined) fields.yRange ??= EXAMPLE_VALUES.yRange as string;
  if (fields.yRange !== undefined) fields.xRange ??= EXAMPLE_VALUES.xRange as string;
}

function isHttpWithoutProtocol(url: string | undefined): boolean {
  return url !== undefined && /^[\w.-]+(:\d+)?(\/|$)/.test(url) && URL.canParse(`http://${url}`);
}
