/** What is known of a page by its records alone, without a DOM: for whoever captures from outside, over CDP. */
export { Activity } from "./activity.js";
export { Masker } from "./mask.js";
export { maskRecord } from "./mask-record.js";
export { cut, happeningLists } from "./receipt-lists.js";
export type { BodyOf, TelemetryBody } from "./telemetry.js";
