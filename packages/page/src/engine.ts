import { type CaptureHalf, createCaptureHalf } from "./capture-half.js";
import { createDomHalf, type DomHalf } from "./dom-half.js";
import { maskRecord } from "./mask-record.js";
import type { PageEngineOptions } from "./options.js";
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
  extends Omit<DomHalf, "stop">,
    Pick<CaptureHalf, "tools" | "guard" | "sendState" | "capabilities"> {
  /** Installs the hooks. From here on `emit` is called. */
  start(): void;
  /** Takes everything out again; the page is as it was. */
  stop(): void;
  /** Takes something that was captured elsewhere (by CDP): masked here, known to receipts, and handed on. */
  take(record: TelemetryBody): void;
  /** Whether the document is being replaced by another. */
  readonly leaving: boolean;
  /** It was not replaced after all: a download, an empty answer. */
  stay(): void;
  /** A URL without the secrets in it. */
  maskUrl(url: string): string;
  /** Leaves an element of ours out of everything. */
  ignore(node: Node): void;
}

/** The whole engine. Every hook can be switched off, which leaves the looking and acting half. */
export function createPageEngine(options: PageEngineOptions): PageEngine {
  const capture = createCaptureHalf(options);
  const dom = createDomHalf(capture);
  const { tools, guard, activity, masker, ours, sendState, capabilities, start } = capture;
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
    take: (record) => capture.emit(maskRecord(record, masker)),
    get leaving() {
      return activity.leaving !== undefined;
    },
    stay: () => activity.stay(),
    maskUrl: (url) => masker.url(url),
    ignore: (node) => void ours.add(node),
  };
}
