/**
 * The page engine: sees, names, acts and captures inside a page. `createPageEngine` is the whole; its parts are
 * also at `@debug-bridge/page/capture`, `dom`, `act` and `find`.
 */

export { viewOf } from "./act/input/events.js";
export { type Chord, charKey, parseChord } from "./act/input/keys.js";
export { syntheticInput } from "./act/input/synthetic-input.js";
export { resolveTarget as findElement } from "./act/resolve.js";
export { StateStore } from "./commands/app-state.js";
export type { ToolFunction } from "./commands/tools.js";
export { createPageEngine, type PageEngine } from "./engine.js";
export type { ClickOptions, Modifier, PageInput } from "./input.js";
export type { CaptureSwitches, ExtraActions, PageEngineOptions, PageHooks } from "./options.js";
export { addPickKey } from "./point/pick.js";
export type { Redact } from "./privacy/masker.js";
export { beginReceipt, type WatchedAction } from "./receipt/receipt.js";
export type { BodyOf, Emit, TelemetryBody } from "./telemetry.js";
export { parentAcross } from "./view/elements/dom.js";
export { elementAt, toTabPoint } from "./view/elements/frame-points.js";
export type { Point } from "./view/elements/visibility.js";
export { keepNumbersIn } from "./view/text/numbers.js";
