/** Runs of agents as OpenTelemetry spans. */
export { type OtlpTarget, otlpBody, sendSpans } from "./otlp.js";
export { type AgentRecord, type OtlpSpan, type SpanOptions, spansOf } from "./spans.js";
