import { dirname } from "node:path";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { type RunStep, runStepOf } from "@debug-bridge/protocol";
import { parseEvent } from "../events/event-line.js";

/** The steps of a recorded run. */
export function runSteps(file: string): RunStep[] {
  const blobs = new BlobStore(dirname(file));
  const steps: RunStep[] = [];
  for (const { text } of readLines(file)) {
    const event = parseEvent(text);
    if (!event) continue;
    const sequence = typeof event.sequence === "number" ? event.sequence : steps.length + 1;
    const step = runStepOf(event.type, sequence, blobs.resolve(event.data ?? {}));
    if (step) steps.push(step);
  }
  return steps;
}
