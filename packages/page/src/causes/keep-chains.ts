import { CHAIN_LIMITS, type ChainStep } from "@debug-bridge/protocol";
import { stackOf } from "../app-data.js";
import { hookFunction, type Unhook } from "../capture/hook.js";
import type { TelemetryCapture } from "../capture/telemetry-capture.js";
import { platform } from "../inert/platform.js";
import type { TelemetryBody } from "../telemetry.js";
import { followEvents } from "./events.js";
import { addOurs, framesOf, framesOfError } from "./frames.js";
import {
  type CausesContext,
  followNamedTasks,
  followPorts,
  followPromises,
  followSchedulers,
  Promises,
} from "./hooks.js";
import { Requests } from "./requests.js";
import { placeOfNow, type Task, Tasks } from "./tasks.js";

/** Keeping chains may take this much of a second; above it, it stops itself. */
const MAX_MS_PER_SECOND = 50;
/** Code that goes on after an answer and is rejected is reported within this time. */
const RECENT_MS = 300;

/** Chains that a page keeps. */
export interface KeptChains {
  readonly since: number;
  /** Why it stopped itself, if it did. */
  stopped: string | undefined;
  end(): void;
  /** Ends after so long, unless it is called again. */
  endAfter(ms: number, onEnd: () => void): void;
}

/** Adds to what the page reports how the code behind it came to run. Ends by itself when that takes too much of the page's time. */
export function keepChains(capture: TelemetryCapture): KeptChains {
  const { window, guard, masker, listening } = capture;
  const enqueue = window.queueMicrotask.bind(window);
  const tasks = new Tasks(enqueue, window);
  const promises = new Promises();
  const context = { window, guard, tasks };
  const requests = new Requests(context, promises, window.Promise.prototype.then);
  addOurs(ownCalls(context));

  const taskOf = (message: TelemetryBody): Task | undefined => {
    if (message.type === "error") return tasks.ofError();
    if (message.type !== "unhandledrejection") return tasks.now();
    // It is reported while its event is dispatched.
    const { promise } = (window.event ?? {}) as Partial<PromiseRejectionEvent>;
    return (promise && promises.get(promise)) ?? answeredFor(message.stack ?? "");
  };
  /** An async function's promise is not ours to see: the only recent answer that its code had asked for. */
  const answeredFor = (stack: string): Task | undefined => {
    const names = framesOf(stack, masker.url).map(({ name, url }) => `${name} ${url}`);
    const fitting = tasks.recent.filter(({ task, at }) => {
      if (platform.now() - at > RECENT_MS) return false;
      return framesOfError(task[0]?.error, masker.url).some(({ name, url }) =>
        names.includes(`${name} ${url}`),
      );
    });
    const found = new Set(fitting.map(({ task }) => task[0]?.request));
    return found.size === 1 ? fitting.at(-1)?.task : undefined;
  };
  const chainOf = (message: TelemetryBody): ChainStep[] => {
    const startedAt = platform.now();
    const stack = "stack" in message && message.stack ? message.stack : undefined;
    const own = stack === undefined ? framesOfError(placeOfNow(), masker.url) : framesOf(stack, masker.url);
    const steps = (taskOf(message) ?? []).map(({ how, at, error, request, times }) => ({
      ...{ how, at, frames: framesOfError(error, masker.url) },
      ...(request === undefined ? {} : { request }),
      ...(times === undefined ? {} : { times }),
    }));
    // What the platform set up itself has no place in the app, and says nothing.
    const known = steps.filter(
      ({ how, frames, request }) => frames.length > 0 || request || /^listener/.test(how),
    );
    const isStart = known.length === 0 && window.document.currentScript !== null;
    tasks.countTime(startedAt);
    const start = isStart ? [{ how: "script", frames: [] }] : [];
    return [{ how: "stack", frames: own }, ...known, ...start].slice(0, CHAIN_LIMITS.steps);
  };

  const options = capture.options as { emit: (message: TelemetryBody) => void };
  const { emit } = options;
  const emitWithChain = (message: TelemetryBody): void => {
    const withChain = guard.run(() => {
      if (message.type === "network") requests.onReport(message.id, message.phase, message.api);
      return isExplained(message) ? { ...message, chain: chainOf(message) } : message;
    });
    emit(withChain ?? message);
  };

  const unhooks: Unhook[] = [
    ...followSchedulers(context),
    followPromises(context, promises),
    ...followPorts(context),
    followNamedTasks(context),
    ...requests.start(),
    followEvents(context, listening),
  ];
  options.emit = emitWithChain;
  let timer: number | undefined;
  let watch: number | undefined;
  const kept: KeptChains = {
    since: platform.epoch(),
    stopped: undefined,
    end() {
      platform.clearTimeout(timer);
      platform.clearTimeout(watch);
      if (options.emit === emitWithChain) options.emit = emit;
      for (const unhook of unhooks.splice(0).reverse()) guard.run(unhook);
    },
    endAfter(ms, onEnd) {
      platform.clearTimeout(timer);
      timer = platform.setTimeout(() => {
        kept.end();
        onEnd();
      }, ms);
    },
  };
  const check = (): void => {
    const spent = Math.round(tasks.spentMs);
    tasks.spentMs = 0;
    if (spent > MAX_MS_PER_SECOND) {
      kept.stopped = `keeping chains took ${spent} ms of one second, more than ${MAX_MS_PER_SECOND}, so the page stopped it`;
      kept.end();
    } else watch = platform.setTimeout(check, 1_000);
  };
  watch = platform.setTimeout(check, 1_000);
  return kept;
}

/** The calls between an app that schedules something and what keeps its place, all of which are ours. */
function ownCalls({ guard, tasks }: CausesContext): string {
  const scheduler = { schedule: (): Task | undefined => undefined };
  const here = stackOf(placeOfNow()).split("\n");
  hookFunction(scheduler, "schedule", { call: () => guard.run(() => tasks.create("")) });
  const lines = stackOf(scheduler.schedule()?.[0]?.error ?? placeOfNow()).split("\n");
  // What called this may be the app's: a library that wraps sockets.
  return lines.slice(0, Math.max(1, lines.length - here.length + 2)).join("\n");
}

type Explained = Extract<
  TelemetryBody,
  { type: "console" | "error" | "unhandledrejection" | "network" | "state_update" }
>;

/** Only the beginning of a request, or of a socket, was somebody's doing. */
function isExplained(message: TelemetryBody): message is Explained {
  const { type } = message;
  if (type === "network") return message.phase === "request" || message.phase === "open";
  return type === "console" || type === "error" || type === "unhandledrejection" || type === "state_update";
}
