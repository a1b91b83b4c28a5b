import {
  addPickKey,
  charKey,
  createPageEngine,
  findElement,
  keepNumbersIn,
  type PageEngine,
  toTabPoint,
} from "@debug-bridge/page";
import { BridgeError, type Command, Correlator, errorFromBody, type Target } from "@debug-bridge/protocol";
import type {
  Box,
  DriverReply,
  EngineConfig,
  FromPage,
  InPageApi,
  OwnerApi,
  PageReply,
  PickApi,
} from "../engine/link-messages.js";
import { evaluateBy } from "./evaluate-by.js";
import { frameApi } from "./frame-api.js";
import { Labels } from "./labels.js";
import { askComponents, askSources, askWhoReacts } from "./listeners.js";
import { describePicked } from "./picked.js";
import { remoteInput } from "./remote-input.js";

/** Defined around this script when it is injected. */
declare const DRIVER_CONFIG: EngineConfig;

type World = typeof globalThis & { [binding: string]: unknown };

/** The engine of a document. */
interface Installed {
  readonly channel: string;
  readonly numbers: Record<string, string>;
  stop(): void;
}

/** Frames of the same origin are walked from the one around them; each that cannot be entered has an engine of its own. */
if (window.frameElement === null) whenRootExists(() => start(DRIVER_CONFIG));

/** The person wants to pick an element. */
function letPick(engine: PageEngine): void {
  const pick = { type: "pick", sessionId: "driver", timestamp: Date.now(), origin: "agent" } as const;
  engine.run(pick, new AbortController().signal).catch(() => {});
}

/** Nothing of it waits for anything outside this script, so that it is done before the page can be used. */
function recordFromStart(engine: PageEngine): void {
  if (window.parent !== window) return;
  const on = {
    type: "record_actions",
    on: true,
    sessionId: "driver",
    timestamp: Date.now(),
    origin: "agent",
  } as const;
  engine.run(on, new AbortController().signal).catch(() => {});
}

/** At the start of a document there may be nothing in it yet, not even `<html>`. */
function whenRootExists(run: () => void): void {
  if (document.documentElement) {
    run();
    return;
  }
  const observer = new MutationObserver(() => {
    if (!document.documentElement) return;
    observer.disconnect();
    run();
  });
  observer.observe(document, { childList: true });
}

function start(config: EngineConfig): void {
  const world = globalThis as World;
  const before = world.debugBridgeEngine as Installed | undefined;
  if (before?.channel === config.channel) return;
  // Of a driver that is gone: its world, and what it left there, can outlive its connection.
  before?.stop();
  const binding = world[config.binding] as (payload: string) => void;
  const send = (message: FromPage): void => binding(JSON.stringify(message));

  let nextId = 1;
  const requests = new Correlator<unknown>();
  const request = (make: (id: number) => FromPage): Promise<unknown> => {
    const id = nextId++;
    const reply = requests.open(String(id));
    send(make(id));
    return reply;
  };

  const numbers: Record<string, string> = { ...before?.numbers };
  const input = remoteInput((action) => request((id) => ({ kind: "input", id, action })), charKey);
  keepNumbersIn({
    getItem: (kind) => numbers[kind] ?? null,
    setItem(kind, end) {
      numbers[kind] = end;
      send({ kind: "reserved", numbers: kind, end });
    },
  });
  const engine = createPageEngine({
    emit: (body) => send({ kind: "telemetry", body }),
    input,
    actions: {
      evaluate: evaluateBy((code) => request((id) => ({ kind: "evaluate", id, code })), config.enableEval),
    },
    caughtUp: () => request((id) => ({ kind: "flush", id })) as Promise<void>,
    reacting: askWhoReacts(config.channel),
    pageWorld: {
      sources: askSources(config.channel),
      components: askComponents(config.channel),
      ownMark() {
        const mark = `#${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
        send({ kind: "own_request", mark });
        return mark;
      },
    },
    enableEval: config.enableEval,
    // CDP reports these, whatever the page does to its globals.
    enableConsole: false,
    enableErrors: false,
    enableNetwork: false,
    enableNavigation: false,
  });
  const labels = new Labels(engine);
  const running = new Map<number, AbortController>();

  /** Where an element is in the viewport of this engine's document, scrolled into view. */
  const boxOf = (text: string, block: ScrollLogicalPosition): Box => {
    const element = findElement(engine.view, JSON.parse(text) as Target);
    element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { ...toTabPoint(element, { x: left, y: top }), width, height };
  };

  const api: InPageApi & OwnerApi & PickApi = {
    ...frameApi(engine),
    reserved: (ends) => void Object.assign(numbers, ends),
    picked: (element) => describePicked(engine, element),
    pick: () => letPick(engine),
    async run(id, command) {
      const controller = new AbortController();
      running.set(id, controller);
      let reply: Omit<PageReply, "leaving">;
      try {
        reply = { outcome: await engine.run(JSON.parse(command) as Command, controller.signal) };
      } catch (thrown) {
        reply = { error: BridgeError.from(thrown).toBody() };
      } finally {
        running.delete(id);
      }
      return JSON.stringify({ ...reply, leaving: engine.leaving });
    },
    cancel: (id) => running.get(id)?.abort(),
    addRecords(records) {
      for (const record of JSON.parse(records)) engine.guard.run(() => engine.addRecord(record));
    },
    answer(id, text) {
      const { value, error } = JSON.parse(text) as DriverReply;
      if (error) requests.fail(String(id), errorFromBody(error));
      else requests.settle(String(id), value);
    },
    announce(deltas) {
      engine.setDeltas(deltas);
      engine.announce();
    },
    setDeltas: (deltas) => engine.setDeltas(deltas),
    pause: () => engine.pause(),
    recordFromStart: () => recordFromStart(engine),
    stay: () => engine.stay(),
    settle: (maxMs) => engine.settle(maxMs),
    box(text) {
      const { x, y, ...size } = boxOf(text, "nearest");
      return JSON.stringify({ x: x + scrollX, y: y + scrollY, ...size } satisfies Box);
    },
    visibleBox(text) {
      // The page around it scrolls as well, and is not exact about edges of frames.
      const { x, y, width, height } = boxOf(text, "center");
      const [left, top] = [Math.max(0, x), Math.max(0, y)];
      const right = Math.min(innerWidth, x + width);
      const bottom = Math.min(innerHeight, y + height);
      return JSON.stringify({ x: left, y: top, width: right - left, height: bottom - top } satisfies Box);
    },
    showLabels: (wholePage) => labels.show(wholePage),
    hideLabels: () => labels.hide(),
  };
  const installed: Installed = {
    channel: config.channel,
    numbers,
    stop() {
      labels.hide();
      engine.stop();
    },
  };
  Object.assign(world, { debugBridge: api, debugBridgeEngine: installed });
  engine.start();
  addPickKey(document, engine.guard, () => letPick(engine));

  send({ kind: "ready", url: location.href, isTop: window.parent === window });
  if (world.debugBridgeRecords) api.recordFromStart();
  // Not for the engine of a driver that comes later.
  delete world.debugBridgeRecords;
  const loaded = (): void =>
    send({ kind: "loaded", url: engine.maskUrl(location.href), title: document.title });
  if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", loaded, { once: true });
  else loaded();
}
