import { BridgeError, type Command, type CommandOutcome, FIELD_LIMITS } from "@debug-bridge/protocol";
import { syntheticInput } from "./act/synthetic-input.js";
import { Activity } from "./activity.js";
import type { Unhook } from "./capture/hook.js";
import { MutationStream } from "./capture/mutations.js";
import { startCapture } from "./capture/start.js";
import { runCommand } from "./commands.js";
import { Guard } from "./guard.js";
import { TreeUpdates } from "./look/tree-updates.js";
import { PageView } from "./look/view.js";
import { natives } from "./natives.js";
import { capabilitiesOf, isOn, type PageEngineOptions } from "./options.js";
import { StateStore } from "./state.js";
import type { TelemetryBody } from "./telemetry.js";
import { Tools } from "./tools.js";

const SELF_EVERY_MS = 10_000;
const SNAPSHOT_LENGTH = FIELD_LIMITS.blob - 1_024;

/**
 * Sees, names, acts and captures inside one page.
 *
 * @example
 * const engine = createPageEngine({ emit: (message) => socket.send(JSON.stringify(message)) });
 * engine.start();
 * engine.announce();
 * await engine.run({ type: "click", target: { text: "Save" }, … }, signal);
 */
export interface PageEngine {
  readonly view: PageView;
  readonly tools: Tools;
  /** Installs the hooks. From here on `emit` is called. */
  start(): void;
  /** Takes everything out again; the page is as it was. */
  stop(): void;
  /** Emits the first snapshot, tree and state, and streams changes from then on. */
  announce(): void;
  /** Stops streaming changes of the DOM and the tree; other capture goes on. */
  pause(): void;
  /** Emits one snapshot and one tree, after messages were lost. */
  resync(): void;
  /** Emits the whole tree if the last whole one no longer holds. */
  refreshTree(): void;
  run(command: Command, signal: AbortSignal): Promise<CommandOutcome>;
  sendState(scope: string, state: unknown): void;
  /** Takes note of something that was captured elsewhere (by CDP), so that receipts know of it. */
  note(message: TelemetryBody): void;
  /** Leaves an element of ours out of everything. */
  ignore(node: Node): void;
  capabilities(): string[];
  /** Runs code of ours so that nothing of it throws into the app. */
  readonly guard: Guard;
}

export function createPageEngine(options: PageEngineOptions): PageEngine {
  const window = options.window ?? (globalThis as unknown as Window & typeof globalThis);
  const page = window.document;
  const guard = new Guard();
  const activity = new Activity();
  const { redact, getUiTreeItems } = options;
  const view = new PageView({ page, guard, redact, getUiTreeItems });
  const { masker } = view;
  const emit = (message: TelemetryBody): void => {
    const masked = masker.message(message);
    activity.note(masked);
    options.emit(masked);
  };
  const readState = options.getCustomState;
  const stateOn = isOn(options, "enableState");
  const state = new StateStore(masker, readState && (() => guard.run(readState) ?? {}));
  const tools = new Tools();
  const on = (name: Parameters<typeof isOn>[1]): boolean => isOn(options, name);

  const emitState = (changes: readonly { scope: string; state: unknown }[]): void => {
    if (stateOn) for (const { scope, state } of changes) emit({ type: "state_update", scope, state });
  };
  const emitSnapshot = (element: Element = page.documentElement): void => {
    masker.scan(page);
    const { html, truncated } = view.html(element, SNAPSHOT_LENGTH);
    emit({ type: "dom_snapshot", html, ...(truncated ? { truncated } : {}) });
  };
  const updates = new TreeUpdates({
    view,
    emit,
    guard,
    enabled: on("enableUiTree"),
    onTick: () => emitState(state.poll()),
  });
  const resync = (): void => {
    if (on("enableDomSnapshot") || on("enableDomMutations")) emitSnapshot();
    if (on("enableUiTree")) updates.sendWhole();
  };
  const mutations = on("enableDomMutations")
    ? new MutationStream({ view, emit, guard, resync: emitSnapshot })
    : undefined;

  let uncapture: Unhook | undefined;
  let selfTimer: number | undefined;
  const onInput = guard.wrap((event: Event) => {
    const target = event.composedPath()[0] as Element | undefined;
    if (target?.nodeType === 1) masker.noteInput(target);
    updates.wake();
  });
  const reportSelf = guard.wrap(() => {
    const { ms, bytesDropped, failures } = guard.takeCost();
    if (ms >= 1 || bytesDropped > 0 || failures > 0) {
      const perSecond = Math.round((ms / SELF_EVERY_MS) * 1_000 * 100) / 100;
      emit({ type: "vitals", name: "self", value: perSecond, detail: { bytesDropped, failures } });
    }
    selfTimer = natives.setTimeout(reportSelf, SELF_EVERY_MS);
  });

  const setLive = (live: boolean): void => {
    mutations?.setLive(live);
    updates.setLive(live);
  };

  return {
    view,
    tools,
    guard,
    start() {
      if (uncapture) return;
      // Before the app's own listeners, so that a secret is known when the app logs it.
      for (const type of ["input", "change"]) window.addEventListener(type, onInput, true);
      uncapture = startCapture(options, { window, emit, guard, masker, activity });
      selfTimer = natives.setTimeout(reportSelf, SELF_EVERY_MS);
    },
    stop() {
      setLive(false);
      uncapture?.();
      uncapture = undefined;
      for (const type of ["input", "change"]) window.removeEventListener(type, onInput, true);
      natives.clearTimeout(selfTimer);
      view.watch.stop();
    },
    announce() {
      guard.run(() => {
        if (on("enableDomSnapshot")) emitSnapshot();
        if (on("enableUiTree")) updates.sendWhole();
        state.poll();
        emitState(Object.entries(state.all()).map(([scope, value]) => ({ scope, state: value })));
      });
      setLive(true);
    },
    pause: () => setLive(false),
    resync: () => void guard.run(resync),
    refreshTree: () => void guard.run(() => on("enableUiTree") && updates.sendWholeIfOld()),
    async run(command, signal) {
      const outcome = await withTimeout(
        command,
        signal,
        runCommand(command, {
          view,
          activity,
          state,
          tools,
          signal,
          input: options.input ?? syntheticInput(),
          allowEval: on("enableEval"),
          emit,
          emitSnapshot,
          sendTree: () => updates.sendWhole(),
        }),
      );
      return masker.message(outcome);
    },
    sendState(scope, value) {
      guard.run(() => {
        state.put(scope, value);
        emitState([{ scope, state: state.all()[scope] }]);
      });
    },
    note: (message) => activity.note(message),
    ignore: (node) => view.ignore(node),
    capabilities: () => capabilitiesOf(options),
  };
}

/** A command that never ends must not leave its sender without an answer. */
function withTimeout(
  command: Command,
  signal: AbortSignal,
  work: Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const ms =
    command.timeoutMs ?? (command.type === "evaluate" || command.type === "call_tool" ? 30_000 : undefined);
  return new Promise((resolve, reject) => {
    const timer =
      ms === undefined
        ? undefined
        : natives.setTimeout(
            () =>
              reject(
                new BridgeError(
                  "timeout",
                  `${command.type} did not end within ${ms} ms; it may still be running`,
                  { timeoutMs: ms },
                ),
              ),
            ms,
          );
    const cancel = (): void =>
      reject(new BridgeError("cancelled", `${command.type} was cancelled; what it had done stays done`));
    signal.addEventListener("abort", cancel, { once: true });
    work.then(resolve, reject).finally(() => {
      natives.clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    });
  });
}
