import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { Command, InvalidArgumentError } from "commander";
import { isWanted, parseTypes } from "../../agent/events/event-filter.js";
import { eventLine, type FileEvent, parseEvent } from "../../agent/events/event-line.js";
import { eventsFile } from "../../agent/run/events-file.js";
import type { RootChoice } from "../../agent/session/choose-session.js";
import { parseCount, withDir, withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";

interface ReplayOptions extends RootChoice {
  readonly timed?: boolean;
  readonly speed?: number;
  readonly types?: Set<string>;
  readonly fromIteration?: number;
  readonly fromSequence?: number;
  readonly json?: boolean;
}

export function replayCommand(): Command {
  const command = withDir(withJson(withHome(new Command("replay"))))
    .description("show a recorded session again")
    .argument("<file-or-session>", "an events.jsonl, a session's folder, its id, or current")
    .option("--timed", "keep the pauses between events")
    .option("--speed <factor>", "keep the pauses, but faster: 2x, 0.5x", parseSpeed)
    .option("--types <types>", "show only events of these types: a,b", parseTypes)
    .option("--from-iteration <n>", "start at this iteration", parseCount)
    .option("--from-sequence <n>", "start at the event with this number", parseCount)
    .action(replay);
  return addDetails(command, {
    notes: "With --json it prints one event per line, with complete payloads.",
    examples: [
      "debug-bridge agent replay current",
      "debug-bridge agent replay --speed 2x events.jsonl",
      "debug-bridge agent replay ab12 --types tool_result --from-iteration 3",
    ],
  });
}

async function replay(name: string, options: ReplayOptions): Promise<void> {
  const file = eventsFile(name, options);
  const blobs = new BlobStore(dirname(file));
  const speed = options.speed ?? (options.timed ? 1 : undefined);
  const hasStarted = startOf(options);
  let skipped = 0;
  let last: number | undefined;
  for (const { text } of readLines(file)) {
    const event = parseEvent(text);
    if (!event) {
      skipped++;
      continue;
    }
    if (!hasStarted(event) || !isWanted(options.types, event.type)) continue;
    const at = Date.parse(String(event.timestamp));
    if (speed !== undefined && last !== undefined && at > last) await sleep((at - last) / speed);
    if (!Number.isNaN(at)) last = at;
    if (options.json) await printJson(blobs.resolve(event));
    else printLine(eventLine(event));
  }
  if (skipped > 0) printMessage(`${skipped} lines are not events and were left out`);
}

/** Returns for each event in turn whether the replay has started. */
function startOf({ fromIteration, fromSequence }: ReplayOptions): (event: FileEvent) => boolean {
  let started = fromIteration === undefined && fromSequence === undefined;
  return ({ sequence, data }) => {
    const { iteration } = (data ?? {}) as { iteration?: unknown };
    started ||=
      (fromSequence === undefined || (typeof sequence === "number" && sequence >= fromSequence)) &&
      (fromIteration === undefined || (typeof iteration === "number" && iteration >= fromIteration));
    return started;
  };
}

function parseSpeed(text: string): number {
  const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  if (speed > 0) return speed;
  throw new InvalidArgumentError("A speed looks like 2x or 0.5x.");
}
