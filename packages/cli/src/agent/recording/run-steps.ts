import { dirname } from "node:path";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { parseEvent } from "../event-line.js";

/** What an agent did in one step, without when and how long. */
export interface RunStep {
  readonly type: string;
  readonly sequence: number;
  /** What is compared: the same for steps that did the same. */
  readonly key: string;
}

/** The fields of each type that make up what was done; ids and times differ from run to run. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  user_input: ["input", "content"],
  assistant_message: ["content"],
  tool_call_start: ["name", "input"],
  tool_result: ["name", "result", "isError"],
  error: ["message", "context"],
};

/** The steps of a recorded run. */
export function runSteps(file: string): RunStep[] {
  const blobs = new BlobStore(dirname(file));
  const steps: RunStep[] = [];
  for (const { text } of readLines(file)) {
    const event = parseEvent(text);
    const fields = event && Object.hasOwn(FIELDS, event.type) ? FIELDS[event.type] : undefined;
    if (!event || !fields) continue;
    const data = blobs.resolve(event.data ?? {}) as Record<string, unknown>;
    const what = fields.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]);
    const sequence = typeof event.sequence === "number" ? event.sequence : steps.length + 1;
    steps.push({ type: event.type, sequence, key: JSON.stringify([event.type, Object.fromEntries(what)]) });
  }
  return steps;
}
