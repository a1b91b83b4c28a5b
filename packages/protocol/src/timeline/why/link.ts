import type { SourceLocation } from "../../console/record.js";
import { recordLine } from "../../records/record-line.js";
import type { ChainFrame } from "../../schema/app/chain.js";
import type { WhyKind, WhyLink } from "../../schema/why.js";
import type { StoryEntry } from "./story.js";

const MAX_TEXT = 200;

/** A link that is a record of the timeline. */
export function recordLink(kind: WhyKind, entry: StoryEntry, evidence: string): WhyLink {
  const { label, text, location } = recordLine(entry.record);
  const named = label === undefined ? text : `${label}: ${text}`;
  return {
    kind,
    text: named.split("\n")[0]?.slice(0, MAX_TEXT) ?? "",
    evidence,
    sequence: entry.sequence,
    ...(location ? { place: location } : {}),
  };
}

export const placeOf = ({ url, line, column }: ChainFrame): SourceLocation => ({ url, line, column });

/** The kind of a step, by what started it. */
export function kindOfStep(how: string): WhyKind {
  if (/^listener /.test(how)) return "listener";
  if (/^(setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|setImmediate)/.test(how))
    return "timer";
  if (/^(await|async|Promise\b|queueMicrotask|.*promise.*)/i.test(how)) return "promise";
  if (/^(fetch|XMLHttpRequest|Response)/.test(how)) return "request";
  if (/message/i.test(how)) return "message";
  if (/^script/.test(how)) return "page";
  return "code";
}
