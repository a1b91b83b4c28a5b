import { findElement, type PageEngine, toTabPoint } from "@debug-bridge/page";
import {
  BridgeError,
  type Command,
  type Correlator,
  errorFromBody,
  type Target,
} from "@debug-bridge/protocol";
import type { Box, DriverReply, InPageApi, OwnerApi, PageReply, PickApi } from "../engine/link-messages.js";
import { frameApi } from "./frame-api.js";
import type { Labels } from "./labels.js";
import { describePicked } from "./picked.js";

interface Parts {
  readonly engine: PageEngine;
  readonly labels: Labels;
  /** What the page asked the driver. */
  readonly requests: Correlator<unknown>;
  readonly numbers: Record<string, string>;
}

/** What the driver calls in a document. */
export function createApi({ engine, labels, requests, numbers }: Parts): InPageApi & OwnerApi & PickApi {
  return {
    ...frameApi(engine),
    ...commandApi(engine),
    ...boxApi(engine),
    reserved: (ends) => void Object.assign(numbers, ends),
    picked: (element) => describePicked(engine, element),
    pick: () => letPick(engine),
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
    showLabels: (wholePage) => labels.show(wholePage),
    hideLabels: () => labels.hide(),
  };
}

/** The person wants to pick an element. */
export function letPick(engine: PageEngine): void {
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

function commandApi(engine: PageEngine): Pick<InPageApi, "run" | "cancel"> {
  const running = new Map<number, AbortController>();
  return {
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
  };
}

function boxApi(engine: PageEngine): Pick<InPageApi, "box" | "visibleBox"> {
  /** Where an element is in the viewport of this engine's document, scrolled into view. */
  const boxOf = (text: string, block: ScrollLogicalPosition): Box => {
    const element = findElement(engine.view, JSON.parse(text) as Target);
    element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { ...toTabPoint(element, { x: left, y: top }), width, height };
  };
  return {
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
  };
}
