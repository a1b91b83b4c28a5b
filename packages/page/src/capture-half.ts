import { Activity } from "./activity.js";
import type { Unhook } from "./capture/hook.js";
import { startCapture } from "./capture/start.js";
import { Guard } from "./guard.js";
import { Masker } from "./mask.js";
import { natives } from "./natives.js";
import { capabilitiesOf, isOn, type PageEngineOptions } from "./options.js";
import { StateStore } from "./state.js";
import type { Emit, TelemetryBody } from "./telemetry.js";
import { Tools } from "./tools.js";

const SELF_EVERY_MS = 10_000;

/**
 * The half of the engine that listens by hooks, in the page's own world. It is small, so that it can be there from the
 * first line of an app; the other half may come later.
 */
export interface CaptureHalf {
  readonly options: PageEngineOptions;
  readonly window: Window & typeof globalThis;
  readonly guard: Guard;
  readonly masker: Masker;
  readonly activity: Activity;
  readonly state: StateStore;
  readonly tools: Tools;
  /** Masks a message, takes note of it for receipts, and hands it on. */
  readonly emit: Emit;
  /** Elements of our own, which are left out of everything. */
  readonly ours: WeakSet<Node>;
  /** Called when a field's value changed: no mutation tells of it. */
  onFieldChange: (() => void) | undefined;
  start(): void;
  stop(): void;
  sendState(scope: string, state: unknown): void;
  emitState(changes: readonly { scope: string; state: unknown }[]): void;
  capabilities(): string[];
}

export function createCaptureHalf(options: PageEngineOptions): CaptureHalf {
  const window = options.window ?? (globalThis as unknown as Window & typeof globalThis);
  const guard = new Guard();
  const activity = new Activity();
  const masker = new Masker(options.redact);
  const emit = (message: TelemetryBody): void => {
    const masked = masker.message(message);
    activity.note(masked);
    options.emit(masked);
  };
  const { getCustomState } = options;
  const state = new StateStore(masker, getCustomState && (() => guard.run(getCustomState) ?? {}));
  const stateOn = isOn(options, "enableState");

  let uncapture: Unhook | undefined;
  let selfTimer: number | undefined;
  const onInput = guard.wrap((event: Event) => {
    const target = event.composedPath()[0] as Element | undefined;
    if (target?.nodeType === 1) masker.noteInput(target, event.type === "change");
    half.onFieldChange?.();
  });
  const reportSelf = guard.wrap(() => {
    const { ms, bytesDropped, failures } = guard.takeCost();
    if (ms >= 1 || bytesDropped > 0 || failures > 0) {
      const perSecond = Math.round((ms / SELF_EVERY_MS) * 100_000) / 100;
      emit({ type: "vitals", name: "self", value: perSecond, detail: { bytesDropped, failures } });
    }
    selfTimer = natives.setTimeout(reportSelf, SELF_EVERY_MS);
  });

  const half: CaptureHalf = {
    options,
    window,
    guard,
    masker,
    activity,
    state,
    tools: new Tools(),
    emit,
    ours: new WeakSet(),
    onFieldChange: undefined,
    start() {
      if (uncapture) return;
      // Before the app's own listeners, so that a secret is known when the app logs it.
      for (const type of ["input", "change"]) window.addEventListener(type, onInput, true);
      uncapture = startCapture(options, { window, emit, guard, masker, activity });
      selfTimer = natives.setTimeout(reportSelf, SELF_EVERY_MS);
    },
    stop() {
      uncapture?.();
      uncapture = undefined;
      for (const type of ["input", "change"]) window.removeEventListener(type, onInput, true);
      natives.clearTimeout(selfTimer);
    },
    sendState(scope, value) {
      guard.run(() => {
        state.put(scope, value);
        half.emitState([{ scope, state: state.all()[scope] }]);
      });
    },
    emitState(changes) {
      if (stateOn)
        for (const { scope, state: value } of changes) emit({ type: "state_update", scope, state: value });
    },
    capabilities: () => capabilitiesOf(options),
  };
  return half;
}
