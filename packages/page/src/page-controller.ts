import { BridgeError, type Command, type CommandOutcome, FIELD_LIMITS } from "@debug-bridge/protocol";
import { DialogRules } from "./act/dialog-rules.js";
import { MutationStream } from "./capture/mutations.js";
import { followRemovals } from "./capture/removed-listeners.js";
import type { TelemetryCapture } from "./capture/telemetry-capture.js";
import { captureVitals } from "./capture/vitals.js";
import { pollState } from "./commands/app-state.js";
import type { LoadPart } from "./commands/parts.js";
import { runCommand } from "./commands/run-command.js";
import { platform } from "./inert/platform.js";
import { isOn } from "./options.js";
import { findSecretFields } from "./privacy/private-elements.js";
import { Activity } from "./receipt/activity.js";
import { hasHandler } from "./view/elements/reacting.js";
import type { Passed } from "./view/text/reading/passing.js";
import { TreeUpdates } from "./view/tree/tree-updates.js";
import { PageView } from "./view/view.js";

const SNAPSHOT_LENGTH = FIELD_LIMITS.blob - 1_024;
/** Code and tools of the app may never end; the sender must still get an answer. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Events after which things may be elsewhere without any mutation. */
const MOVEMENTS = ["scroll", "transitionend", "animationend", "load", "toggle", "fullscreenchange"];

/** The part of the engine that looks and acts. It works from any world that shares the page's DOM. */
export interface PageController {
  readonly view: PageView;
  readonly activity: Activity;
  /** Emits the first snapshot, tree and state, and streams changes from then on. */
  announce(): void;
  /** Stops streaming changes of the DOM and the tree; other capture continues. */
  pause(): void;
  /** Emits one snapshot and one tree, after messages were lost. */
  resync(): void;
  /** Whether every reader understands `ui_tree_delta`; until then whole trees are sent. */
  setDeltas(deltas: boolean): void;
  run(command: Command, signal: AbortSignal): Promise<CommandOutcome>;
  stop(): void;
}

export function createPageController(capture: TelemetryCapture, loadPart: LoadPart): PageController {
  const { options, guard, masker, state, tools, emit, data, window } = capture;
  capture.activity ??= new Activity();
  const { activity } = capture;
  const page = capture.window.document;
  const on = (name: Parameters<typeof isOn>[1]): boolean => isOn(options, name);
  const { getUiTreeItems } = options;
  const isHandled = (element: Element): boolean => capture.listening.has(element) || hasHandler(element);
  const { reacting = () => isHandled } = options;
  const unfollow = options.reacting
    ? undefined
    : guard.run(() => followRemovals(window, capture.listening, guard));
  const view = new PageView({
    page,
    guard,
    masker,
    ours: capture.ours,
    getUiTreeItems,
    reacting,
    pageWorld: options.pageWorld,
  });

  const emitSnapshot = (element: Element = page.documentElement): void => {
    findSecretFields(masker, page);
    const { html, truncated } = view.html(element, SNAPSHOT_LENGTH);
    emit({ type: "dom_snapshot", html, ...(truncated ? { truncated } : {}) });
  };
  const updates = new TreeUpdates({
    view,
    emit,
    guard,
    enabled: on("enableUiTree"),
    onTick: () => capture.emitState(pollState(state)),
  });
  const mutations = on("enableDomMutations")
    ? new MutationStream({ view, emit, guard, resync: emitSnapshot })
    : undefined;
  capture.onFieldChange = () => updates.wake();
  const dialogs = new DialogRules();
  capture.answerDialog = (method, preset) => dialogs.answer(method, preset);
  const onMovement = guard.wrap(({ type }: Event) => {
    view.tree.recordMovement();
    // A frame may have got another document, which no mutation reports.
    if (type === "load") updates.wake();
  });
  for (const type of MOVEMENTS) page.addEventListener(type, onMovement, { capture: true, passive: true });
  // Observers replay what they missed, so these need not be there from the first line of an app.
  const stopVitals = on("enableVitals") ? guard.run(() => captureVitals({ window, emit, guard })) : undefined;
  const reportPassing = passingReporter(emit);
  const setLive = (live: boolean): void => {
    view.passing.onMessage = live && on("enableUiTree") ? reportPassing : undefined;
    mutations?.setLive(live);
    updates.setLive(live);
  };

  return {
    view,
    activity,
    announce() {
      guard.run(() => {
        if (on("enableDomSnapshot")) emitSnapshot();
        if (on("enableUiTree")) updates.sendFirst();
        pollState(state);
        capture.emitState(Object.entries(state.all()).map(([scope, value]) => ({ scope, state: value })));
      });
      setLive(true);
    },
    pause: () => setLive(false),
    resync() {
      guard.run(() => {
        if (on("enableDomSnapshot") || on("enableDomMutations")) emitSnapshot();
        if (on("enableUiTree")) updates.sendWhole();
      });
    },
    setDeltas(deltas) {
      guard.run(() => updates.setDeltas(deltas));
    },
    async run(command, signal) {
      const allowEval = on("enableEval");
      const sendTree = (): void => updates.sendWhole();
      const context = {
        view,
        activity,
        state,
        tools,
        data,
        signal,
        startedAt: platform.now(),
        input: options.input,
        dialogs,
        allowEval,
        actions: options.actions,
        caughtUp: options.caughtUp,
        capture,
        loadPart,
        emit,
        emitSnapshot,
        sendTree,
      };
      try {
        return masker.message(await withTimeout(command, signal, runCommand(command, context)));
      } catch (thrown) {
        const { code, message, details } = BridgeError.from(thrown);
        throw new BridgeError(code, masker.message(masker.body(message)), masker.message(details));
      }
    },
    stop() {
      setLive(false);
      for (const type of MOVEMENTS) page.removeEventListener(type, onMovement, { capture: true });
      view.watch.stop();
      unfollow?.();
      stopVitals?.();
    },
  };
}

/** So many texts that came and went are reported in a time; a page that blinks must not fill the timeline. */
const MAX_PASSING = 20;
const PASSING_MS = 10_000;

function passingReporter(emit: TelemetryCapture["emit"]): (passed: Passed) => void {
  let recent: { readonly text: string; readonly at: number }[] = [];
  return ({ text, from, until }) => {
    recent = recent.filter(({ at }) => until - at < PASSING_MS);
    if (recent.length >= MAX_PASSING || recent.some((each) => each.text === text)) return;
    recent.push({ text, at: until });
    emit({ type: "passing_text", text, durationMs: Math.round(until - from) });
  };
}

/** A command that never ends must not leave its sender without an answer. */
function withTimeout(
  command: Command,
  signal: AbortSignal,
  work: Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const endless = command.type === "evaluate" || command.type === "call_tool";
  const ms = command.timeoutMs ?? (endless ? DEFAULT_TIMEOUT_MS : undefined);
  return new Promise((resolve, reject) => {
    // What waits inside ends at the same moment, and knows better what was done: its answer comes first.
    const giveUp = (error: BridgeError): void => void platform.setTimeout(() => reject(error), 0);
    const late = (): void => {
      const message = `${command.type} did not finish within ${ms} ms; it may still be running`;
      giveUp(new BridgeError("timeout", message, { timeoutMs: ms }));
    };
    const cancel = (): void =>
      giveUp(
        new BridgeError("cancelled", `${command.type} was cancelled; it may already have changed the page`),
      );
    const timer = ms === undefined ? undefined : platform.setTimeout(late, ms);
    signal.addEventListener("abort", cancel, { once: true });
    work.then(resolve, reject).finally(() => {
      platform.clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    });
  });
}
