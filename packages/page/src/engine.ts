import { createTelemetryCapture, type TelemetryCapture } from "./capture/telemetry-capture.js";
import { act } from "./commands/act.js";
import type { LoadPart, Parts } from "./commands/parts.js";
import { point } from "./commands/point.js";
import { runRareCommand } from "./commands/rare-command.js";
import { record } from "./commands/record.js";
import { componentLines } from "./component/component-lines.js";
import { platform } from "./inert/platform.js";
import type { PageEngineOptions } from "./options.js";
import { createPageController, type PageController } from "./page-controller.js";
import { maskRecord } from "./privacy/mask-record.js";
import { settle } from "./receipt/settle.js";
import * as source from "./source/part.js";
import type { TelemetryBody } from "./telemetry.js";

/**
 * Sees, names, acts and captures inside one page.
 *
 * @example
 * const engine = createPageEngine({ emit: (message) => socket.send(JSON.stringify(message)) });
 * engine.start();
 * engine.announce();
 * await engine.run({ type: "click", target: { text: "Save" }, … }, signal);
 */
export interface PageEngine
  extends Omit<PageController, "stop">,
    Pick<TelemetryCapture, "tools" | "guard" | "sendState" | "capabilities"> {
  /** Installs the hooks. From here on `emit` is called. */
  start(): void;
  /** Removes all hooks; the page is as it was. */
  stop(): void;
  /** Waits until the page is quiet; false when it still moved after `maxMs`. */
  settle(maxMs: number): Promise<boolean>;
  /** Adds a record that was captured elsewhere (by CDP): it is masked, becomes part of receipts, and is emitted. */
  addRecord(record: TelemetryBody): void;
  /** Whether the document is being replaced by another. */
  readonly leaving: boolean;
  /** It was not replaced after all: a download, an empty answer. */
  stay(): void;
  /** A URL without the secrets in it. */
  maskUrl(url: string): string;
  /** Leaves one of our own elements out of everything. */
  ignore(node: Node): void;
}

/** The driver of a page takes pictures of it and keeps its chains, so it needs no parts for that. */
const PARTS: Omit<Parts, "replay" | "causes"> = {
  act: { act },
  component: { componentLines },
  find: { runRareCommand },
  point: { point },
  record: { record },
  source,
};

/** The whole engine. Every hook can be switched off, which leaves views and actions. */
export function createPageEngine(options: PageEngineOptions): PageEngine {
  const capture = createTelemetryCapture(options);
  const dom = createPageController(capture, (async (name) => PARTS[name as "act"]) as LoadPart);
  const { activity, view } = dom;
  const { tools, guard, masker, ours, sendState, capabilities, start } = capture;
  return {
    ...dom,
    tools,
    guard,
    sendState,
    capabilities,
    start,
    stop() {
      dom.stop();
      capture.stop();
    },
    settle(maxMs) {
      const { page, watch } = view;
      const { signal } = new AbortController();
      const { caughtUp } = options;
      // Counts the running requests since the document began, no matter who started them.
      return settle({ page, watch, activity, signal, caughtUp }, platform.now(), { maxMs }, 0);
    },
    addRecord: (record) => capture.emit(maskRecord(record, masker)),
    get leaving() {
      return activity.leaving !== undefined;
    },
    stay: () => activity.stay(),
    maskUrl: (url) => masker.url(url),
    ignore: (node) => void ours.add(node),
  };
}
