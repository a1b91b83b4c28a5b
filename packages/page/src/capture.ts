/** The small part of the engine: hooks, masking, state and tools, without anything that walks the DOM. */
export { hookFunction, type Unhook } from "./capture/hook.js";
export { createTelemetryCapture, type TelemetryCapture } from "./capture/telemetry-capture.js";
export type { ToolFunction, Tools } from "./commands/tools.js";
export { PLATFORM_HANDOVER, platform } from "./inert/platform.js";
export { CAPTURE_SWITCHES, type CaptureSwitches, type PageEngineOptions, type PageHooks } from "./options.js";
export type { TelemetryBody } from "./telemetry.js";
