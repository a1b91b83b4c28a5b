/** Timelines of any length: paged, filtered and counted the same way in a hub and in a page that reads a file. */
export { addLine } from "./timeline/add-line.js";
export {
  recordDetails,
  recordOf,
  timelineBuckets,
  timelinePage,
  timelineRecords,
} from "./timeline/answers.js";
export { countBuckets } from "./timeline/buckets.js";
export type { TimelineColumns } from "./timeline/columns.js";
export { LinesTimeline } from "./timeline/lines-timeline.js";
export { PagedTimeline } from "./timeline/paged-timeline.js";
export { readRecord } from "./timeline/related.js";
export type { RowFilter } from "./timeline/row-list.js";
export * from "./timeline/shared-file.js";
export { emptyColumns, factsOf, parseOrNothing, type TimelineSource } from "./timeline/source.js";
export type { AgentCalls } from "./timeline/why/agent-step-of.js";
export { readEntry } from "./timeline/why/story.js";
export { explain, type WhyOptions } from "./timeline/why/why.js";
