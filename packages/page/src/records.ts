/** What is known of a page by its records alone, without a DOM: for capture from outside, over CDP. */

export { bridgeAnswer, DialogRules } from "./act/dialog-rules.js";
export { maskRecord } from "./privacy/mask-record.js";
export { Masker } from "./privacy/masker.js";
export { Activity } from "./receipt/activity.js";
export { cut, happeningLists } from "./receipt/receipt-lists.js";
export type { BodyOf, TelemetryBody } from "./telemetry.js";
export { itemLine } from "./view/text/outline/item-line.js";
export { renderChanges } from "./view/text/render-changes.js";
export { type Difference, sameItem } from "./view/tree/ui-tree-history.js";
