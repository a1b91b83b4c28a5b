import { addPickKey, charKey, createPageEngine, keepNumbersIn } from "@debug-bridge/page";
import { Correlator } from "@debug-bridge/protocol";
import type { EngineConfig, FromPage } from "../engine/link-messages.js";
import { evaluateBy } from "./evaluate-by.js";
import { createApi, letPick } from "./in-page-api.js";
import { Labels } from "./labels.js";
import { queryComponents, queryReacting, querySources } from "./listeners.js";
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

/** Frames of the same origin are walked from the one around them; each that cannot be entered has a separate engine. */
if (window.frameElement === null) whenRootExists(() => start(DRIVER_CONFIG));

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
  // Left by a driver that is gone: its world, and what is in it, can outlive its connection.
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
    reacting: queryReacting(config.channel),
    pageWorld: {
      sources: querySources(config.channel),
      components: queryComponents(config.channel),
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
  const api = createApi({ engine, labels, requests, numbers });
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
