import { platform } from "@debug-bridge/page/capture";
import { BridgeError, type CommandOutcome, IdempotencyCache } from "@debug-bridge/protocol";

const KEY = "debug-bridge.outcomes";
const MAX_OUTCOMES = 50;
const MAX_OUTCOME_CHARACTERS = 8_000;

type Store = Pick<Storage, "getItem" | "setItem">;

/** How far a command got. Without outcome and error, the document was gone before it ended. */
interface Kept {
  readonly key: string;
  readonly outcome?: CommandOutcome;
  readonly error?: Pick<BridgeError, "code" | "message">;
}

/**
 * Remembers the outcomes of commands with a key, across documents of the tab: a button that saves and reloads must not
 * save twice because the answer was lost with the page. Only what goes over the wire is kept, so it is masked. Long
 * outcomes lose their details, the oldest are forgotten, and without storage it holds for the document alone.
 */
export class IdempotencyStore {
  private readonly running = new IdempotencyCache<CommandOutcome>();

  constructor(private readonly store: Store | undefined) {}

  run(key: string, act: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    return this.running.run(key, () => this.resume(key, act));
  }

  private async resume(key: string, act: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    const kept = this.read().find((each) => each.key === key);
    if (kept?.outcome) return kept.outcome;
    if (kept?.error) throw new BridgeError(kept.error.code, kept.error.message);
    if (kept) {
      const message =
        "the page was replaced while this ran, so its outcome is unknown. It was not run again; look at the page";
      throw new BridgeError("outcome_unknown", message);
    }
    this.write({ key });
    try {
      const outcome = await act();
      this.write({ key, outcome: shortened(outcome) });
      return outcome;
    } catch (thrown) {
      const { code, message, details } = BridgeError.from(thrown);
      // A page that was being left asks for the same again from the next one.
      if (details?.retry === true) this.forget(key);
      else this.write({ key, error: { code, message } });
      throw thrown;
    }
  }

  private read(): Kept[] {
    try {
      const kept = platform.parse(this.store?.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter((each) => typeof each?.key === "string") : [];
    } catch {
      return [];
    }
  }

  private write(kept: Kept): void {
    this.forget(kept.key, kept);
  }

  private forget(key: string, ...instead: Kept[]): void {
    try {
      const others = this.read().filter((each) => each.key !== key);
      this.store?.setItem(KEY, platform.stringify([...others, ...instead].slice(-MAX_OUTCOMES)));
    } catch {
      // Full or forbidden: what is in memory still holds for this document.
    }
  }
}

function shortened(outcome: CommandOutcome): CommandOutcome {
  if (platform.stringify(outcome).length <= MAX_OUTCOME_CHARACTERS) return outcome;
  const { applied, receipt, durationMs } = outcome;
  const short: CommandOutcome = {
    message: "this command ran before; its full outcome was too long to keep",
  };
  if (applied !== undefined) short.applied = applied;
  if (durationMs !== undefined) short.durationMs = durationMs;
  if (receipt) {
    const { settled, durationMs: ms, navigation } = receipt;
    short.receipt = { settled, durationMs: ms, ...(navigation ? { navigation } : {}) };
  }
  return short;
}

/** The tab's storage, `undefined` where reading the property alone throws. */
export function tabStorage(window: Window): Store | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
