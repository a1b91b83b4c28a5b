/**
 * The page engine: sees, names, acts and captures inside a page. `createPageEngine` is the whole; `PageView` and
 * `runCommand` are its looking and acting half, for worlds where hooks do not reach.
 */
export { syntheticInput } from "./act/synthetic-input.js";
export { Activity } from "./activity.js";
export { hookFunction, type Unhook } from "./capture/hook.js";
export { type CommandContext, runCommand } from "./commands.js";
export { createPageEngine, type PageEngine } from "./engine.js";
export { Guard } from "./guard.js";
export type { ClickOptions, Modifier, PageInput } from "./input.js";
export { PageView, type ViewOptions } from "./look/view.js";
export type { Point } from "./look/visibility.js";
export type { Redact } from "./mask.js";
export { natives } from "./natives.js";
export type { CaptureSwitches, PageEngineOptions, PageHooks } from "./options.js";
export type { BodyOf, Emit, TelemetryBody } from "./telemetry.js";
export { type ToolFunction, Tools } from "./tools.js";
