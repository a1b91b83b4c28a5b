import { compare, type Difference, type RunStep, truncate } from "@debug-bridge/protocol";
import { Command } from "commander";
import { eventsFile } from "../../agent/run/events-file.js";
import { runSteps } from "../../agent/run/run-steps.js";
import type { RootChoice } from "../../agent/session/choose-session.js";
import { withDir, withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printText } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";

const MAX_SHOWN = 160;

interface DiffOptions extends RootChoice {
  readonly json?: boolean;
}

export function diffCommand(): Command {
  const command = withDir(withJson(withHome(new Command("diff"))))
    .description("compare what two agents did")
    .argument("<first>", "an events.jsonl, a session's folder, its id, or current")
    .argument("<second>", "another one")
    .action(async (first: string, second: string, options: DiffOptions) => {
      const a = runSteps(eventsFile(first, options));
      const b = runSteps(eventsFile(second, options));
      const found = compare(a, b);
      if (options.json) await printJson(summary(a, b, found));
      else printText(text(found));
    });
  return addDetails(command, {
    notes: "It compares messages, tool calls and results, without times and ids.",
    examples: ["debug-bridge agent diff ab12 cd34", "debug-bridge agent diff before.jsonl current"],
  });
}

/** Where the runs diverge: after how many steps, and what each did then. */
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
  const data = JSON.stringify(JSON.parse(key)[1]);
  return `#${sequence} ${type.padEnd(18)} ${truncate(data, MAX_SHOWN)}`;
}
