/** What the SDK has of capture and of chains, as one script for the bench. */
export { createTelemetryCapture } from "../../packages/page/dist/capture.js";
export { causes } from "../../packages/page/dist/commands/causes.js";
