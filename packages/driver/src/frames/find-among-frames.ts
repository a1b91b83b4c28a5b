import {
  BridgeError,
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  truncate,
} from "@debug-bridge/protocol";
import { DocumentGone } from "../engine/engine-link.js";
import type { ForeignFrame } from "./foreign-frame.js";
import { FRAME_TIMEOUT_MS, inTime } from "./in-time.js";
import { inReadingOrder } from "./reading-order.js";

type Find = CommandOf<"find">;
type Search = (frame: ForeignFrame | undefined, command: Find) => Promise<CommandOutcome>;

/** Fewer tokens than this show no match. */
const MIN_TOKENS = 30;
/** Frames that answer late share this time, so that many of them cost no more than one. */
const ALL_FRAMES_MS = 2 * FRAME_TIMEOUT_MS;
const MAX_NAMED = 20;

interface Found {
  readonly outcome: CommandOutcome;
  readonly frame: ForeignFrame | undefined;
}

/**
 * Searches the page, and when all that was found there has been shown, the frames of other origins in it, in reading
 * order. What is left out, because the budget is used up or a frame does not answer, is named.
 */
export async function findAmongFrames(
  command: Find,
  frames: readonly ForeignFrame[],
  search: Search,
): Promise<CommandOutcome> {
  const page = await search(undefined, command).catch(onlyUnsupported);
  if (!(page instanceof BridgeError) && page.page?.nextCursor !== undefined) return page;
  const found: Found[] = page instanceof BridgeError ? [] : [{ outcome: page, frame: undefined }];
  let left = (command.maxTokens ?? DEFAULT_MAX_TOKENS) - (found[0]?.outcome.page?.tokens ?? 0);
  const { cursor: _cursor, ...fresh } = command;
  const unread: string[] = [];
  const failed: string[] = [];
  const ends = performance.now() + ALL_FRAMES_MS;
  for (const frame of await inReadingOrder(frames)) {
    if (left < MIN_TOKENS) {
      unread.push(frame.name);
      continue;
    }
    const ms = Math.min(FRAME_TIMEOUT_MS, Math.max(0, ends - performance.now()));
    const outcome = await inTime(search(frame, { ...fresh, maxTokens: left }), ms).catch(BridgeError.from);
    if (outcome instanceof BridgeError) {
      // A frame that is gone has nothing to find; one without sources has none to search.
      if (!(outcome instanceof DocumentGone) && outcome.code !== "not_supported")
        failed.push(`${frame.name} (${truncate(outcome.message, 100)})`);
      continue;
    }
    found.push({ outcome, frame });
    left -= outcome.page?.tokens ?? 0;
    if (outcome.page?.nextCursor !== undefined) unread.push(frame.name);
  }
  if (found.length === 0) throw page;
  return together(found, unread, failed);
}

/** What a page without sources says; a frame in it may have some. Whatever else fails is the answer. */
function onlyUnsupported(thrown: unknown): BridgeError {
  const error = BridgeError.from(thrown);
  if (error.code !== "not_supported") throw thrown;
  return error;
}

function together(
  found: readonly Found[],
  unread: readonly string[],
  failed: readonly string[],
): CommandOutcome {
  const [first] = found as [Found];
  const withMatches = found.filter(({ outcome }) => (outcome.page?.total ?? 0) > 0);
  const parts = withMatches.map(({ outcome: { result = "" }, frame }) =>
    frame ? `in frame ${frame.name}:\n${result}` : result,
  );
  const lines = parts.length > 0 ? parts : [first.outcome.result ?? ""];
  if (unread.length > 0)
    lines.push(`(more may be in ${named(unread)}: find with the target ref ${unread[0]})`);
  if (failed.length > 0) lines.push(`(not searched: ${named(failed)})`);
  const result = lines.join("\n");
  const total = found.reduce((sum, { outcome }) => sum + (outcome.page?.total ?? 0), 0);
  const matches = found.flatMap(
    ({ outcome }) => ((outcome.value ?? {}) as { matches?: readonly unknown[] }).matches ?? [],
  );
  return {
    ...first.outcome,
    result,
    page: { tokens: estimateTokens(result), total },
    value: { ...(first.outcome.value as object), matches },
  };
}

/** The names of frames; there may be a hundred. */
function named(frames: readonly string[]): string {
  const more = frames.length > MAX_NAMED ? ` and ${frames.length - MAX_NAMED} other frames` : "";
  return `${frames.length > 1 ? "frames" : "frame"} ${frames.slice(0, MAX_NAMED).join(", ")}${more}`;
}
