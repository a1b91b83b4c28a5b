import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { Command, InvalidArgumentError } from "commander";
import { parseCount } from "../agent/agent-command.js";
import { isWanted, parseTypes } from "../agent/event-filter.js";
import { eventLine, type FileEvent, parseEvent } from "../agent/event-line.js";
import { eventsFile } from "../agent/events-file.js";

interface ReplayOptions {
  readonly dir?: string;
  readonly timed?: boolean;
  readonly speed?: number;
  readonly filter?: Set<string>;
  readonly fromIteration?: number;
  readonly fromSequence?: number;
  readonly json?: boolean;
}

export function replayCommand(): Command {
  return new Command("replay")
    .description("show a recorded session again")
    .argument("<file-or-session>", "an events.jsonl, a session's folder, its id, or current")
    .option("--timed", "keep the pauses between events")
    .option("--speed <factor>", "keep them, and be this much faster: 2x, 0.5x", parseSpeed)
    .option("-f, --filter <types>", "only events of these types, separated by commas", parseTypes)
    .option("--from-iteration <n>", "begin with this iteration", parseCount)
    .option("--from-sequence <n>", "begin with the event of this number", parseCount)
    .option("--dir <dir>", "where the sessions are (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option("--json", "one JSON event a line, with every payload whole")
    .addHelpText(
      "after",
      `
Examples:
  debug-bridge replay current
  debug-bridge replay --speed 2x events.jsonl
  debug-bridge replay ab12 --filter tool_call_start,tool_result --from-iteration 3`,
    )
    .action(replay);
}

async function replay(name: string, options: ReplayOptions): Promise<void> {
  const file = eventsFile(name, options.dir);
  const blobs = new BlobStore(dirname(file));
  const speed = options.speed ?? (options.timed ? 1 : undefined);
  const hasBegun = beginning(options);
  let skipped = 0;
  let last: number | undefined;
  for (const { text } of readLines(file)) {
    const event = parseEvent(text);
    if (!event) {
      skipped++;
      continue;
    }
    if (!hasBegun(event) || !isWanted(options.filter, event.type)) continue;
    const at = Date.parse(String(event.timestamp));
    if (speed !== undefined && last !== undefined && at > last) await sleep((at - last) / speed);
    if (!Number.isNaN(at)) last = at;
    process.stdout.write(`${options.json ? JSON.stringify(blobs.resolve(event)) : eventLine(event)}\n`);
  }
  if (skipped > 0) process.stderr.write(`${skipped} lines are no events and were left out\n`);
}

/** Tells of each event in turn whether the replay has begun. */
function beginning({ fromIteration, fromSequence }: ReplayOptions): (event: FileEvent) => boolean {
  let begun = fromIteration === undefined && fromSequence === undefined;
  return ({ sequence, data }) => {
    const { iteration } = (data ?? {}) as { iteration?: unknown };
    begun ||=
      (fromSequence === undefined || (typeof sequence === "number" && sequence >= fromSequence)) &&
      (fromIteration === undefined || (typeof iteration === "number" && iteration >= fromIteration));
    return begun;
  };
}

function parseSpeed(text: string): number {
  const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  if (speed > 0) return speed;
  throw new InvalidArgumentError("A speed looks like 2x or 0.5x.");
}
