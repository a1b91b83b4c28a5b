import { BridgeError, type NavigationTelemetry, type RecordingStart } from "@debug-bridge/protocol";
import {
  interactionSchema,
  navigationSchema,
  networkSchema,
  recordingStartSchema,
} from "@debug-bridge/protocol/schemas";
import { ExchangeCollector } from "./exchanges.js";
import { failureOf } from "./failures.js";
import { type Observed, stepsOf } from "./steps.js";
import type { Failure, Recording, Step } from "./types.js";

/** A record of a timeline, as `events.jsonl` has it. */
export interface RecordedEvent {
  readonly type: string;
  readonly timestamp: number;
  readonly sequence: number;
  readonly causedBy?: number | undefined;
  readonly instanceId?: string | undefined;
  readonly data: unknown;
}

/** A navigation this long after the last action was not caused by it. */
const CAUSED_MS = 3_000;
const MAX_EVENTS = 2_000_000;

interface Found {
  readonly observed: Observed[];
  readonly moves: Move[];
  readonly failures: Failure[];
  readonly requestTimes: number[];
}

interface Move {
  readonly at: number;
  readonly move: NavigationTelemetry;
  readonly command?: string | undefined;
}

const nothing = (): Found => ({ observed: [], moves: [], failures: [], requestTimes: [] });

/** Reads the records of a session, and says what can be replayed of them. */
export function readRecording(events: Iterable<RecordedEvent>): Recording {
  let start: RecordingStart | undefined;
  let time = 0;
  let ends = 0;
  let count = 0;
  let found = nothing();
  const exchanges = new ExchangeCollector();
  const commands = new Map<number, string>();
  for (const { type, timestamp, sequence, causedBy, instanceId = "", data } of events) {
    if (++count > MAX_EVENTS) break;
    if (type === "command") commands.set(sequence, String((data as { type?: unknown }).type));
    // A page that is loaded before anything is done in it is where the recording begins: it is known from its start.
    if (type === "recording_start" && found.observed.length === 0) {
      start = recordingStartSchema.safeParse(data).data ?? start;
      time = start?.timestamp ?? timestamp;
      found = nothing();
    }
    const network = type === "network" ? networkSchema.safeParse(data).data : undefined;
    if (network) exchanges.add(network, timestamp, instanceId);
    if (!start) continue;
    const at = Math.max(0, Math.round(timestamp - time));
    ends = Math.max(ends, at);
    const command = causedBy === undefined ? undefined : commands.get(causedBy);
    // The file may come from anywhere: what is not as the hub writes it is left out.
    const interaction = type === "interaction" ? interactionSchema.safeParse(data).data : undefined;
    if (interaction) found.observed.push({ interaction, at, command });
    const move = type === "navigation" ? navigationSchema.safeParse(data).data : undefined;
    if (move) found.moves.push({ at, move, command });
    if (network?.phase === "request" && network.api !== "other") found.requestTimes.push(at);
    const failure = failureOf(type, data, at);
    if (failure) found.failures.push(failure);
  }
  if (!start)
    throw new BridgeError(
      "not_supported",
      "this recording has no interactions to replay. Record again with debug-bridge record start, and act in the page then",
    );
  const { observed, moves, failures, requestTimes } = found;
  const steps = withNavigations(stepsOf(observed, requestTimes), moves, start.url);
  const { url, timeZone, language, width, height, seed } = start;
  return {
    ...{ url, time, ends, timeZone, language, width, height, failures, exchanges: exchanges.list(time) },
    ...(seed === undefined ? {} : { seed }),
    steps: steps.map((step, id) => ({ ...step, id })),
  };
}

type Unnumbered = Omit<Step, "id">;

/** Adds what leads to another page and is no action in it: an address, the buttons of the browser, a command. */
function withNavigations(steps: readonly Unnumbered[], moves: readonly Move[], first: string): Unnumbered[] {
  let isFirst = true;
  const added = moves.flatMap(({ at, move, command }): Unnumbered[] => {
    const by = command === undefined ? "person" : "agent";
    const isOwn = steps.some((step) => step.at <= at && at - step.at < CAUSED_MS);
    // The recording begins with this one.
    const isStart = isFirst && move.to === first && move.kind === "load";
    isFirst = false;
    if (isStart && steps.every((step) => step.at > at)) return [];
    if (command === "navigate" && move.kind !== "unload")
      return [{ action: "goto", url: move.to, at, by, locators: [] }];
    if (isOwn) return [];
    if (move.kind === "load") return [{ action: "goto", url: move.to, at, by, locators: [] }];
    return move.kind === "pop" ? [{ action: "back", at, by, locators: [] }] : [];
  });
  return [...steps, ...added].sort((a, b) => a.at - b.at);
}
