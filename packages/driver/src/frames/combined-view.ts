import {
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
} from "@debug-bridge/protocol";
import type { ForeignFrame } from "./foreign-frame.js";
import type { Frames } from "./frames.js";

type Observe = CommandOf<"request_ui_tree">;
type Look = (frame: ForeignFrame | undefined, command: Observe) => Promise<CommandOutcome>;

/** Fewer tokens than this show nothing of a frame. */
const MIN_TOKENS = 50;
const OWNER_TIMEOUT_MS = 1_000;
const MAX_VERSIONS = 50;
/** Versions of several frames together are numbered apart from those of one. */
const FIRST_VERSION = 1_000_000_000;
const FRAME_LINE = /(?:^\s*|\[)frame (f\d+) "/;

/** The view of a page with frames of other origins: their outlines are in the page's own, each where the frame is. */
export class CombinedView {
  private readonly versions = new Map<number, ReadonlyMap<string, number>>();
  private nextVersion = FIRST_VERSION;

  constructor(
    private readonly frames: Frames,
    private readonly look: Look,
  ) {}

  async observe(command: Observe, from: ForeignFrame | undefined): Promise<CommandOutcome> {
    await Promise.race([
      Promise.all(this.frames.all.map(({ owner }) => owner)),
      new Promise((resolve) => setTimeout(resolve, OWNER_TIMEOUT_MS)),
    ]);
    const before = command.since === undefined ? undefined : this.versions.get(command.since);
    const versions = new Map<string, number>();
    const outcome = before
      ? await this.changes(command, before, versions)
      : await this.whole(command, from, versions);
    return { ...outcome, value: { ...(outcome.value as object), version: this.keep(versions) } };
  }

  private async whole(
    command: Observe,
    from: ForeignFrame | undefined,
    versions: Map<string, number>,
  ): Promise<CommandOutcome> {
    const { target, ...rest } = command;
    const isAll = from !== undefined && target?.ref === from.name;
    const outcome = await this.look(from, isAll ? rest : command);
    remember(versions, from, outcome);
    let left = (command.maxTokens ?? DEFAULT_MAX_TOKENS) - (outcome.page?.tokens ?? 0);
    let total = outcome.page?.total ?? 0;
    const shown = new Set<string>(from ? [from.name] : []);

    const splice = async (text: string): Promise<string[]> => {
      const lines: string[] = [];
      for (const line of text.split("\n")) {
        lines.push(line);
        const frame = this.frames.byName(FRAME_LINE.exec(line)?.[1] ?? "");
        if (!frame || shown.has(frame.name)) continue;
        shown.add(frame.name);
        const indent = `${/^\s*/.exec(line)?.[0] ?? ""}  `;
        for (const inner of await inside(frame)) lines.push(indent + inner);
      }
      return lines;
    };
    const inside = async (frame: ForeignFrame): Promise<string[]> => {
      const more = `(more in this frame: observe it by its ref ${frame.name})`;
      if (left < MIN_TOKENS) return [more];
      const { cursor: _cursor, since: _since, ...look } = rest;
      const inner = await this.look(frame, { ...look, maxTokens: left }).catch(() => undefined);
      if (!inner) return ["(this frame does not answer)"];
      remember(versions, frame, inner);
      left -= inner.page?.tokens ?? 0;
      total += inner.page?.total ?? 0;
      const lines = await splice(inner.result ?? "");
      return inner.page?.nextCursor === undefined ? lines : [...lines, more];
    };

    const result = (await splice(outcome.result ?? "")).join("\n");
    return { ...outcome, result, page: { ...outcome.page, tokens: estimateTokens(result), total } };
  }

  /** What changed in the page, then what changed in each frame. */
  private async changes(
    command: Observe,
    before: ReadonlyMap<string, number>,
    versions: Map<string, number>,
  ): Promise<CommandOutcome> {
    const { since: _since, cursor: _cursor, ...fresh } = command;
    const main = await this.look(undefined, { ...command, since: before.get("") ?? 0 });
    remember(versions, undefined, main);
    const parts = main.page?.total === 0 ? [] : [main.result ?? ""];
    let total = main.page?.total ?? 0;
    for (const frame of this.frames.all) {
      const since = before.get(keyOf(frame));
      const inner = await this.look(frame, since === undefined ? fresh : { ...fresh, since }).catch(
        () => undefined,
      );
      if (!inner) continue;
      remember(versions, frame, inner);
      if (inner.page?.total === 0) continue;
      total += inner.page?.total ?? 0;
      const what = since === undefined ? "is new" : "changed";
      parts.push(`frame ${frame.name} ${what}:\n${inner.result ?? ""}`);
    }
    const result = parts.length > 0 ? parts.join("\n") : (main.result ?? "");
    return { ...main, result, page: { ...main.page, tokens: estimateTokens(result), total } };
  }

  private keep(versions: ReadonlyMap<string, number>): number {
    const version = this.nextVersion++;
    this.versions.set(version, versions);
    for (const oldest of this.versions.keys()) {
      if (this.versions.size <= MAX_VERSIONS) break;
      this.versions.delete(oldest);
    }
    return version;
  }
}

/** A frame that got another document starts again. */
const keyOf = (frame: ForeignFrame | undefined): string =>
  frame ? `${frame.id} ${frame.document.contextId}` : "";

function remember(
  versions: Map<string, number>,
  frame: ForeignFrame | undefined,
  { value }: CommandOutcome,
): void {
  const { version } = (value ?? {}) as { version?: number };
  if (version !== undefined) versions.set(keyOf(frame), version);
}
