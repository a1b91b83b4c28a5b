import { type CommandOutcome, fullRecordLine, recordLine, type TimelineRecord } from "@debug-bridge/protocol";
import type { Bridge } from "../bridge.js";
import { placedFrames } from "./placed-frames.js";
import { pageOf, writtenPlaces } from "./written-places.js";

const ERRORS = ["error", "unhandledrejection"];

/**
 * The outcomes of actions, with the place of each error in their receipts: a receipt has what the page said, and the record
 * of the error has where. Costs nothing when there are no errors.
 */
export async function placedErrors<Outcome extends CommandOutcome>(
  outcomes: readonly Outcome[],
  session: string,
  bridge: Bridge,
): Promise<readonly Outcome[]> {
  if (outcomes.every(({ receipt }) => !receipt?.errors?.length)) return outcomes;
  // An answer without places is better than none.
  const records = await newestErrors(session, bridge).catch(() => []);
  const places = await writtenPlaces(records, session, bridge).catch(() => new Map());
  const lineOf = (message: string): string => {
    const record = records.findLast((each) => recordLine(each).text.endsWith(message));
    if (!record) return message;
    const line = fullRecordLine(record, places.get(record));
    return message + line.slice(line.indexOf(message) + message.length);
  };
  const page = await pageOf(session, bridge).catch(() => undefined);
  // What was rejected is said with its stack, which names places too.
  const placed = (message: string): Promise<string> => placedFrames(lineOf(message), page, bridge);
  return Promise.all(
    outcomes.map(async (outcome) => {
      const { receipt } = outcome;
      if (!receipt?.errors) return outcome;
      return { ...outcome, receipt: { ...receipt, errors: await Promise.all(receipt.errors.map(placed)) } };
    }),
  );
}

async function newestErrors(session: string, { hub }: Bridge): Promise<readonly TimelineRecord[]> {
  for (let next = 0, pages = 0; ; pages++) {
    const page = await hub.events(session, next, ERRORS);
    if (!(page.next > next) || page.events.length < 1_000 || pages > 10) return page.events;
    next = page.next;
  }
}
