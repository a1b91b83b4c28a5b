import { stripControlCharacters, truncate } from "@debug-bridge/protocol";
import { Command } from "commander";
import { compare, type Difference } from "../agent/compare.js";
import { eventsFile } from "../agent/events-file.js";
import { type RunStep, runSteps } from "../agent/run-steps.js";
import { paint } from "../terminal.js";

const SHOWN = 160;

export function diffCommand(): Command {
  return new Command("diff")
    .description("compare what two agents did: messages, tool calls and results, without times and ids")
    .argument("<first>", "an events.jsonl, a session's folder, its id, or current")
    .argument("<second>", "another")
    .option("--dir <dir>", "where the sessions are (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option("--json", "print the differences as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  debug-bridge diff ab12 cd34\n  debug-bridge diff before.jsonl current",
    )
    .action((first: string, second: string, options: { dir?: string; json?: boolean }) => {
      const a = runSteps(eventsFile(first, options.dir));
      const b = runSteps(eventsFile(second, options.dir));
      const found = compare(a, b);
      process.stdout.write(options.json ? `${JSON.stringify(summary(a, b, found))}\n` : text(found));
    });
}

/** Where the runs part: after how many steps, and what each did then. */
function divergence(
  a: readonly RunStep[],
  b: readonly RunStep[],
  shown: (step: RunStep) => object,
): { after: number; first: object | null; second: object | null } | null {
  const after = a.findIndex((step, i) => step.key !== b[i]?.key);
  const at = after === -1 ? a.length : after;
  const [first, second] = [a[at], b[at]];
  if (!first && !second) return null;
  return { after: at, first: first ? shown(first) : null, second: second ? shown(second) : null };
}

function summary(
  a: readonly RunStep[],
  b: readonly RunStep[],
  found: readonly Difference<RunStep>[],
): object {
  const shown = ({ type, sequence, key }: RunStep): object => ({ type, sequence, data: JSON.parse(key)[1] });
  return {
    divergence: divergence(a, b, shown),
    same: found.filter((one) => one.in === "both").length,
    onlyFirst: found.flatMap((one) => (one.in === "first" ? shown(one.first) : [])),
    onlySecond: found.flatMap((one) => (one.in === "second" ? shown(one.second) : [])),
  };
}

function text(found: readonly Difference<RunStep>[]): string {
  let lines = "";
  let same = 0;
  const flush = (): void => {
    if (same > 0) lines += `${paint("dim", `  ${same} ${same === 1 ? "step" : "steps"} the same`)}\n`;
    same = 0;
  };
  for (const one of found) {
    if (one.in === "both") {
      same++;
      continue;
    }
    flush();
    lines +=
      one.in === "first" ? paint("red", `- ${line(one.first)}`) : paint("green", `+ ${line(one.second)}`);
    lines += "\n";
  }
  flush();
  return lines === "" ? "Neither did anything yet.\n" : lines;
}

function line({ sequence, type, key }: RunStep): string {
  const data = stripControlCharacters(JSON.stringify(JSON.parse(key)[1]));
  return `#${sequence} ${type.padEnd(18)} ${truncate(data, SHOWN)}`;
}
