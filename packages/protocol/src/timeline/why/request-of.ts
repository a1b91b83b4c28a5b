import type { ChainFrame, ChainStep } from "../../schema/app/chain.js";
import { chainOf, type Story, type StoryEntry } from "./story.js";

/** Code that waited for an answer goes on right after it; one that came longer ago is not what it waited for last. */
const MAX_GAP_MS = 250;
/** The browser reports the end of a body a little after the code that reads it has run. */
const LATE_MS = 1_000;
/** The nearer of two answers counts if the other is this much further away. */
const CLEAR_MS = 50;

/** A request, and how it ended. */
export interface AnsweredRequest {
  readonly request: StoryEntry;
  readonly end: StoryEntry | undefined;
}

/** Requests whose answer the code of a chain may have waited for at this step; one when it is sure. */
export function requestsOf(
  story: Story,
  subject: StoryEntry,
  { above, step }: { readonly above: ChainFrame | undefined; readonly step: ChainStep },
): AnsweredRequest[] {
  if (step.request !== undefined) {
    const [request] = story.ofRequest(step.request, subject);
    return request ? [answered(story, request)] : [];
  }
  const fitting = story.records
    .filter(({ type, data, sequence }) => {
      const isAsked = data.api === "fetch" || data.api === "xhr";
      return type === "network" && data.phase === "request" && isAsked && sequence < subject.sequence;
    })
    .filter((request) => waitsFor(request, above, step))
    .map((request) => answered(story, request))
    .filter(({ end }) => end && end.at <= subject.at + LATE_MS)
    .sort((a, b) => gapTo(a, subject) - gapTo(b, subject));
  const [nearest, next] = fitting;
  if (!nearest || !next) return fitting;
  const gap = gapTo(nearest, subject);
  const isClear = gap <= MAX_GAP_MS && gapTo(next, subject) - gap > Math.max(CLEAR_MS, gap);
  return isClear ? [nearest] : fitting;
}

const gapTo = ({ end }: AnsweredRequest, { at }: StoryEntry): number => Math.abs(at - (end?.at ?? 0));

function answered(story: Story, request: StoryEntry): AnsweredRequest {
  const records = story.ofRequest(String(request.data.id), request);
  const end = records.find(({ data }) => data.phase === "response" || data.phase === "failed");
  return { request, end };
}

/**
 * Whether code that went on after a wait is the code that made a request: the calls that led to both are the same, position
 * by position, up to the function that waited.
 */
function waitsFor(request: StoryEntry, above: ChainFrame | undefined, step: ChainStep): boolean {
  const made = chainOf(request)?.[0]?.frames ?? [];
  const isAwait = /^(await|async)/.test(step.how);
  // An async function that goes on is on top of its callers; a callback was passed on by the function below it.
  const waiting = isAwait ? above : step.frames[0];
  const callers = isAwait ? step.frames : step.frames.slice(1);
  if (!waiting) return false;
  return made.some((frame, k) => {
    const rest = made.slice(k + 1);
    return (
      isSameFunction(frame, waiting) &&
      frame.line <= waiting.line &&
      rest.length === callers.length &&
      rest.every((each, i) => isSamePlace(each, callers[i]))
    );
  });
}

const isSameFunction = (a: ChainFrame, b: ChainFrame): boolean => a.url === b.url && a.name === b.name;

function isSamePlace(a: ChainFrame | undefined, b: ChainFrame | undefined): boolean {
  return a !== undefined && b !== undefined && a.url === b.url && a.line === b.line && a.column === b.column;
}

/** Requests that were made at the same place, began later and were answered earlier. */
export function overtakenBy(story: Story, { request, end }: AnsweredRequest): AnsweredRequest[] {
  const made = chainOf(request)?.[0]?.frames[0];
  if (!made || !end) return [];
  return story.records
    .filter(
      (other) =>
        other.type === "network" &&
        other.data.phase === "request" &&
        other.sequence > request.sequence &&
        isSamePlace(chainOf(other)?.[0]?.frames[0], made),
    )
    .map((other) => answered(story, other))
    .filter((other) => other.end !== undefined && other.end.sequence < end.sequence);
}
