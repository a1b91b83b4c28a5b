import {
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
} from "@debug-bridge/protocol";
import type { ForeignFrame } from "./foreign-frame.js";

type Find = CommandOf<"find">;
type Search = (frame: ForeignFrame | undefined, command: Find) => Promise<CommandOutcome>;

/** Fewer tokens than this show no match. */
const MIN_TOKENS = 30;

/** Searches the page, and when all that was found there has been shown, the frames of other origins in it. */
export async function findAmongFrames(
  command: Find,
  frames: readonly ForeignFrame[],
  search: Search,
): Promise<CommandOutcome> {
  const page = await search(undefined, command).then(
    (outcome) => ({ outcome, error: undefined }),
    (error: unknown) => ({ outcome: undefined, error }),
  );
  if (page.outcome?.page?.nextCursor !== undefined) return page.outcome;
  const found: { readonly outcome: CommandOutcome; readonly frame: ForeignFrame | undefined }[] = [];
  if (page.outcome) found.push({ outcome: page.outcome, frame: undefined });
  let left = (command.maxTokens ?? DEFAULT_MAX_TOKENS) - (page.outcome?.page?.tokens ?? 0);
  const { cursor: _cursor, ...fresh } = command;
  const unread: string[] = [];
  for (const frame of frames) {
    if (left < MIN_TOKENS) {
      unread.push(frame.name);
      continue;
    }
    const outcome = await search(frame, { ...fresh, maxTokens: left }).catch(() => undefined);
    if (!outcome) continue;
    found.push({ outcome, frame });
    left -= outcome.page?.tokens ?? 0;
    if (outcome.page?.nextCursor !== undefined) unread.push(frame.name);
  }
  if (found.length === 0) throw page.error;
  return together(found, unread);
}

function together(
  found: readonly { readonly outcome: CommandOutcome; readonly frame: ForeignFrame | undefined }[],
  unread: readonly string[],
): CommandOutcome {
  const [first] = found as [(typeof found)[number]];
  const withMatches = found.filter(({ outcome }) => (outcome.page?.total ?? 0) > 0);
  const parts = withMatches.map(({ outcome: { result = "" }, frame }) =>
    frame ? `in frame ${frame.name}:\n${result}` : result,
  );
  const text = parts.length > 0 ? parts : [first.outcome.result ?? ""];
  const more = unread.map((name) => `(more may be in this frame: find with target ref ${name})`);
  const result = [...text, ...more].join("\n");
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
