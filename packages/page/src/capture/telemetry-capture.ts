import { toData, toResultText } from "../app-data.js";
import { StateStore } from "../commands/app-state.js";
import { Tools } from "../commands/tools.js";
import { Guard } from "../guard.js";
import { CallIdentity } from "../inert/call-identity.js";
import { platform } from "../inert/platform.js";
import { capabilitiesOf, isOn, type PageEngineOptions } from "../options.js";
import { Masker } from "../privacy/masker.js";
import type { Activity } from "../receipt/activity.js";
import type { Emit, TelemetryBody } from "../telemetry.js";
import type { DialogContext } from "./dialogs.js";
import type { Unhook } from "./hook.js";
import { type Listening, startCapture } from "./start.js";

const COST_REPORT_INTERVAL_MS = 10_000;
/** Events of what a person does. The first two change what a field holds. */
const ACTIONS = "input change click auxclick dblclick keydown".split(" ");
const MAX_EARLY = 99;

/**
 * The half of the engine that listens by hooks, in the page's own world. It is small, so that it can be there from the
 * first line of an app; the other capture may come later.
 */
export interface TelemetryCapture {
  readonly options: PageEngineOptions;
  readonly window: Window & typeof globalThis;
  readonly guard: Guard;
  readonly masker: Masker;
  /** What happened recently. The controller sets it; nothing reads it before. */
  activity: Activity | undefined;
  /** For the controller, which may be a separate script: the serialiser is in this one. */
  readonly data: { readonly toData: typeof toData; readonly toResultText: typeof toResultText };
  readonly state: StateStore;
  readonly tools: Tools;
  /** Masks a message, records it for receipts, and passes it on. */
  readonly emit: Emit;
  /** Our own elements, which are left out of everything. */
  readonly ours: WeakSet<Node>;
  /** Elements to which the app added a listener by which they are used, and which of them are left. */
  readonly listening: Listening;
  /** What was done in the first seconds of the page, with the path of each event, until a recording takes it. */
  earlyEvents: [Event, EventTarget[]][] | undefined;
  /** Called when a field's value changed: no mutation reports it. */
  onFieldChange: (() => void) | undefined;
  /** How the bridge answers a dialog. The controller sets it. */
  answerDialog: DialogContext["answerDialog"] | undefined;
  start(): void;
  stop(): void;
  sendState(scope: string, state: unknown): void;
  emitState(changes: readonly { scope: string; state: unknown }[]): void;
  capabilities(): string[];
}

export function createTelemetryCapture(options: PageEngineOptions): TelemetryCapture {
  const window = options.window ?? (globalThis as unknown as Window & typeof globalThis);
  const guard = new Guard();
  const masker = new Masker(options.redact);
  const { instanceId } = options;
  const identity = instanceId === undefined ? undefined : new CallIdentity(window, instanceId);
  const emit = (message: TelemetryBody): void => {
    const masked = masker.message(message);
    capture.activity?.record(masked);
    options.emit(masked);
  };
  const { getCustomState } = options;
  const state = new StateStore(masker, getCustomState && (() => guard.run(getCustomState) ?? {}));
  const stateOn = isOn(options, "enableState");

  let uncapture: Unhook | undefined;
  let selfTimer: number | undefined;
  const onAction = guard.wrap((event: Event) => {
    const { type } = event;
    const path = event.composedPath();
    const target = path[0] as Element | undefined;
    if ((capture.earlyEvents?.length ?? MAX_EARLY) < MAX_EARLY) capture.earlyEvents?.push([event, path]);
    if (ACTIONS.indexOf(type) > 1) return;
    if (target?.nodeType === 1) masker.trackInput(target, type === "change");
    capture.onFieldChange?.();
  });
  const listen = (how: "addEventListener" | "removeEventListener"): void => {
    for (const type of ACTIONS) window[how](type, onAction, true);
  };
  const reportSelf = guard.wrap(() => {
    const { ms, bytesDropped, failures } = guard.drainCost();
    if (ms >= 1 || bytesDropped > 0 || failures > 0) {
      const perSecond = Math.round((ms / COST_REPORT_INTERVAL_MS) * 100_000) / 100;
      emit({ type: "vitals", name: "self", value: perSecond, detail: { bytesDropped, failures } });
    }
    selfTimer = platform.setTimeout(reportSelf, COST_REPORT_INTERVAL_MS);
    capture.earlyEvents = undefined;
  });

  const capture: TelemetryCapture = {
    options,
    window,
    guard,
    masker,
    activity: undefined,
    data: { toData, toResultText },
    state,
    tools: new Tools(),
    emit,
    ours: new WeakSet(),
    listening: new WeakMap(),
    earlyEvents: [],
    onFieldChange: undefined,
    answerDialog: undefined,
    start() {
      if (uncapture) return;
      // Before the app's own listeners, so that a secret is known when the app logs it.
      listen("addEventListener");
      uncapture = startCapture(options, {
        window,
        emit,
        guard,
        masker,
        identity,
        listening: capture.listening,
        activity: () => capture.activity,
        answerDialog: (method, preset) => capture.answerDialog?.(method, preset),
      });
      selfTimer = platform.setTimeout(reportSelf, COST_REPORT_INTERVAL_MS);
    },
    stop() {
      uncapture?.();
      uncapture = undefined;
      listen("removeEventListener");
      platform.clearTimeout(selfTimer);
    },
    sendState(scope, value) {
      guard.run(() => {
        state.put(scope, value);
        capture.emitState([{ scope, state: state.all()[scope] }]);
      });
    },
    emitState(changes) {
      if (stateOn)
        for (const { scope, state: value } of changes) emit({ type: "state_update", scope, state: value });
    },
    capabilities: () => capabilitiesOf(options),
  };
  return capture;
}
