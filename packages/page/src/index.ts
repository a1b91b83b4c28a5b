/**
 * The page engine: sees, names, acts and captures inside a page. `createPageEngine` is the whole; its two halves are
 * also at `@debug-bridge/page/capture` and `@debug-bridge/page/dom`.
 */

export { type Chord, charKey } from "./act/keys.js";
export { resolveTarget as findElement } from "./act/resolve.js";
export { syntheticInput } from "./act/synthetic-input.js";
export { createPageEngine, type PageEngine } from "./engine.js";
export type { ClickOptions, Modifier, PageInput } from "./input.js";
export type { Point } from "./look/visibility.js";
export type { Redact } from "./mask.js";
export type { CaptureSwitches, EvaluatedElsewhere, PageEngineOptions, PageHooks } from "./options.js";
export type { BodyOf, Emit, TelemetryBody } from "./telemetry.js";
export type { ToolFunction } from "./tools.js";
