import { CHAIN_LIMITS, type ChainStep } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { InputAction } from "../engine/link-messages.js";
import { isOurScript } from "./our-frames.js";
import { ReachedListeners, type ScriptPlace } from "./reached-listeners.js";
import type { StackTrace } from "./remote-object.js";

/** A stack with what started it, as the browser keeps it while it is asked to. */
export interface AsyncStack extends StackTrace {
  /** What started this part: `setTimeout`, `await`, `Promise.then` … */
  readonly description?: string;
  readonly parent?: AsyncStack;
}

/**
 * The chain of a record: its own calls, then what started them, back to the first one that the browser knows.
 * Nothing unless the browser was asked to keep it: a stack of calls alone is no chain. `isWhole`: the browser keeps what started
 * such a record, so that without it there was nothing.
 */
export function chainOf(
  stack: AsyncStack | undefined,
  { isKept, reached }: ChainRecorder,
  isWhole = true,
): { chain?: ChainStep[] } {
  if (!isKept || !stack) return {};
  const chain: ChainStep[] = [];
  let first: ScriptPlace | undefined;
  for (let at: AsyncStack | undefined = stack; at && chain.length < CHAIN_LIMITS.steps - 1; at = at.parent) {
    const frames = framesOf(at);
    first = at.callFrames.findLast(({ url }) => isApps(url)) ?? first;
    // Parts that are only ours say nothing about the page.
    if (frames.length === 0 && chain.length > 0) continue;
    chain.push({ how: chain.length === 0 ? "stack" : (at.description ?? "async"), frames });
  }
  if (!isWhole && chain.length === 1) chain.push({ how: "not kept", frames: [] });
  else chain.push(...(reached?.stepOf(first, chain.length === 1) ?? []));
  return { chain: chain.slice(0, CHAIN_LIMITS.steps) };
}

const isApps = (url: string): boolean => url !== "" && !isOurScript(url);

function framesOf({ callFrames }: StackTrace): ChainStep["frames"] {
  return callFrames
    .filter(({ url }) => isApps(url))
    .slice(0, CHAIN_LIMITS.frames)
    .map(({ functionName, url, lineNumber, columnNumber }) => ({
      ...(functionName ? { name: functionName.slice(0, 200) } : {}),
      ...{ url: url.slice(0, 2_000), line: lineNumber + 1, column: columnNumber + 1 },
    }));
}

/** Has the browser record what started each call, while a client needs it. It costs the page time. */
export class ChainRecorder {
  private readonly sessions = new Set<CdpSession>();
  private until = 0;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The listeners of the page itself, where inputs go. */
  reached: ReachedListeners | undefined;

  get isKept(): boolean {
    return performance.now() < this.until;
  }

  /** Keeps chains in this session as well: of the page, or of a frame in a separate process. */
  async follow(cdp: CdpSession): Promise<void> {
    this.sessions.add(cdp);
    cdp.onClose(() => this.sessions.delete(cdp));
    if (this.isKept) await setDepth(cdp, CHAIN_LIMITS.steps);
  }

  /** An input is about to be made. */
  async onInput(action: InputAction): Promise<void> {
    const [page] = this.sessions;
    if (!page || !this.isKept) return;
    this.reached ??= new ReachedListeners(page);
    await this.reached.read(action);
  }

  /** Keeps chains for so long from now on. Returns since when they are kept. */
  async keep(forMs: number): Promise<{ since?: number }> {
    clearTimeout(this.timer);
    const wasKept = this.isKept;
    this.until = performance.now() + forMs;
    const isKept = forMs > 0;
    if (isKept && !wasKept) this.since = Date.now();
    await Promise.all([...this.sessions].map((cdp) => setDepth(cdp, isKept ? CHAIN_LIMITS.steps : 0)));
    if (!isKept) {
      this.reached = undefined;
      return {};
    }
    this.timer = setTimeout(() => void this.keep(0).catch(() => {}), forMs);
    this.timer.unref();
    return { since: this.since };
  }
}

async function setDepth(cdp: CdpSession, maxDepth: number): Promise<void> {
  await cdp.send("Runtime.setAsyncCallStackDepth", { maxDepth });
}
