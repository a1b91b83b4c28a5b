import { type BrowserResponse, type Log, type NetworkEvent, truncate } from "@debug-bridge/protocol";

/** As much as a model can read at once without losing track. A page can log a hundred times as much. */
const MAX_CHARACTERS = 40_000;
const MAX_OF_LOGS = 14_000;
const MAX_OF_REQUESTS = 8_000;
const MAX_OF_ANSWER = 14_000;
const MAX_OF_ENTRY = 2_000;

/**
 * A report that fits a model's context. A small one is returned unchanged. From a large one, the most severe and most
 * recent entries and the failed requests are kept, and a last entry lists what was left out.
 */
export function briefResponse(response: BrowserResponse): BrowserResponse {
  const { screenshots, ...rest } = response;
  if (lengthOf(rest) <= MAX_CHARACTERS) return response;
  const logs = best(response.logs.map(shortened), MAX_OF_LOGS, ({ source, severity = 0 }) =>
    source === "tool" ? severity + 0.5 : severity,
  );
  const networkEvents = best(response.networkEvents, MAX_OF_REQUESTS, (event) => (hasFailed(event) ? 1 : 0));
  const { receipt, result } = response;
  const note: Log = {
    type: "warning",
    source: "tool",
    category: "automation",
    message: `this report was too long: ${response.logs.length - logs.length} of ${response.logs.length} log entries and ${response.networkEvents.length - networkEvents.length} of ${response.networkEvents.length} requests are left out, and long texts are cut. Ask for less with logFilter or in evaluate`,
    timestamp: Date.now(),
    severity: 3,
  };
  return {
    ...rest,
    ...(screenshots ? { screenshots } : {}),
    logs: [...logs, note],
    networkEvents,
    ...(lengthOf(result) <= MAX_OF_ANSWER
      ? {}
      : { result: { text: truncate(JSON.stringify(result), MAX_OF_ANSWER) } }),
    ...(receipt && lengthOf(receipt) > MAX_OF_ANSWER ? { receipt: firstOfEach(receipt) } : {}),
  };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const hasFailed = ({ status = 0, errorText }: NetworkEvent): boolean =>
  status >= 400 || errorText !== undefined;

function shortened(log: Log): Log {
  return {
    ...log,
    message: truncate(log.message, MAX_OF_ENTRY),
    ...(log.stack === undefined ? {} : { stack: truncate(log.stack, MAX_OF_ENTRY) }),
  };
}

/** The most severe entries that fit, newest first among equals; returned in their original order. */
function best<Item>(items: readonly Item[], most: number, weight: (item: Item) => number): Item[] {
  const kept = new Set<number>();
  let left = most;
  const order = items.map((item, index) => ({ item, index, weight: weight(item) }));
  for (const { item, index } of order.sort((a, b) => b.weight - a.weight || b.index - a.index)) {
    left -= lengthOf(item);
    if (left < 0) break;
    kept.add(index);
  }
  return items.filter((_, index) => kept.has(index));
}

function firstOfEach<Whole extends object>(whole: Whole): Whole {
  const entries = Object.entries(whole).map(([name, value]) => [
    name,
    Array.isArray(value) ? best(value, MAX_OF_ENTRY, () => 0) : value,
  ]);
  return Object.fromEntries(entries) as Whole;
}
