/** The small half of the engine: hooks, masking, state and tools, without anything that walks the DOM. */
export { hookFunction, type Unhook } from "./capture/hook.js";
export { type CaptureHalf, createCaptureHalf } from "./capture-half.js";
export { HANDED_OVER, natives } from "./natives.js";
export type { CaptureSwitches, PageEngineOptions, PageHooks } from "./options.js";
export type { TelemetryBody } from "./telemetry.js";
export type { ToolFunction, Tools } from "./tools.js";
