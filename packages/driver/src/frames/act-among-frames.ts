import { type Activity, cut, happeningLists } from "@debug-bridge/page/records";
import type { Command, CommandOutcome, Receipt, Settle } from "@debug-bridge/protocol";
import { errorFromBody } from "@debug-bridge/protocol";
import { DocumentGone, type EngineLink } from "../engine/engine-link.js";
import type { LiveDocument } from "../navigation/documents.js";
import type { ForeignFrame } from "./foreign-frame.js";
import { inTime } from "./in-time.js";
import { mergeReceipts } from "./merge-receipts.js";
import type { PageFrames } from "./page-frames.js";

const FOLLOW_MS = 10_000;
/** How long the other frames get to show their part of the effects. */
const OTHERS_SETTLE_MS = 1_000;
const DEFAULT_SETTLE_MS = 3_000;

interface Place {
  readonly engine: EngineLink;
  readonly document: LiveDocument;
}

/** Acts in one place of a page with frames, and reports what changed in all of them. */
export async function actAmongFrames(
  others: readonly Place[],
  context: { readonly activity: Activity; recorded(): Promise<void> },
  settle: Settle,
  act: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const startedAt = performance.now();
  await Promise.all(
    others.map(({ engine, document }) => inTime(engine.call(document, "watch")).catch(() => {})),
  );
  const outcome = await act();
  if (!outcome.receipt) return outcome;
  const changes = others.map(async ({ engine, document }): Promise<Partial<Receipt>> => {
    if (settle !== false)
      await inTime(engine.call(document, "settle", OTHERS_SETTLE_MS), 2 * OTHERS_SETTLE_MS);
    return JSON.parse(await inTime(engine.call(document, "changes"))) as Partial<Receipt>;
  });
  // A frame that was left meanwhile has no changes to report, and one that is busy has drawn none.
  const found = await Promise.all(changes.map((each) => each.catch(() => ({}))));
  await context.recorded();
  const happened = cut(happeningLists(context.activity.since(startedAt)));
  const receipt = mergeReceipts({ ...outcome.receipt, ...happened }, found);
  return { ...outcome, receipt };
}

/** Acts in a frame. When that gets another document, waits for it. */
export async function actInFrame(
  pageFrames: PageFrames,
  frame: ForeignFrame,
  command: Command & { settle?: Settle },
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const reply = await pageFrames.run(frame, command, signal).catch((thrown: unknown) => {
    if (thrown instanceof DocumentGone) return undefined;
    throw thrown;
  });
  if (reply?.error) throw errorFromBody(reply.error);
  if (reply?.outcome && !reply.leaving) return reply.outcome;
  const { frames } = pageFrames;
  let settled = false;
  if (command.settle !== false) {
    const next = (): ForeignFrame | undefined =>
      frames.all.find(
        ({ id, document }) => id === frame.id && document !== frame.document && document.loaded,
      );
    for (const ends = startedAt + FOLLOW_MS; !next() && performance.now() < ends; )
      await frames.changed.wait(ends - performance.now());
    const arrived = next();
    const maxMs = command.settle?.maxMs ?? DEFAULT_SETTLE_MS;
    if (arrived)
      settled = await arrived.host.engine.call(arrived.document, "settle", maxMs).catch(() => false);
  }
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  return { ...reply?.outcome, receipt: { settled, durationMs }, durationMs };
}
