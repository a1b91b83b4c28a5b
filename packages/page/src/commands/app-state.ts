import { toData } from "../app-data.js";
import { platform } from "../inert/platform.js";
import type { Masker } from "../privacy/masker.js";

/** The app's own state by scope: what it sent, and what `getCustomState` returns now. Masked when stored. */
export class StateStore {
  private readonly scopes = new Map<string, { data: unknown; text: string }>();

  constructor(
    private readonly masker: Masker,
    /** The app's own function. */
    readonly read: (() => Record<string, unknown>) | undefined,
  ) {}

  /** Stores a scope's state. Returns the masked copy when it differs from the last, else `undefined`. */
  put(scope: string, state: unknown): { scope: string; state: unknown } | undefined {
    const hidden = this.masker.hides(scope, state);
    const data = hidden ? this.masker.mask : (toData(state, this.masker) ?? null);
    const text = platform.stringify(data);
    if (this.scopes.get(scope)?.text === text) return undefined;
    this.scopes.set(scope, { data, text });
    return { scope, state: data };
  }

  all(): Record<string, unknown> {
    return Object.fromEntries([...this.scopes].map(([scope, { data }]) => [scope, data]));
  }
}

/** Reads the app's state and returns the scopes that differ from the last time. Asked only by the part that acts. */
export function pollState(store: StateStore): { scope: string; state: unknown }[] {
  const state = store.read?.();
  if (!state || typeof state !== "object") return [];
  return Object.keys(state).flatMap((scope) => store.put(scope, state[scope]) ?? []);
}
