import type { ChainFrame } from "../../schema/app/chain.js";
import type { WhyLink } from "../../schema/why.js";
import { recordLink } from "./link.js";
import { isAction, type Story, type StoryEntry } from "./story.js";

/** What edits have to do with an error. */
export interface EditCause {
  readonly link?: WhyLink;
  readonly entry?: StoryEntry;
  readonly couldBe: readonly WhyLink[];
}

/** Edits after which a page runs other code than before. */
const TAKEN = /^(hot_update|full_reload)$/;

/**
 * The edit that brought an error: it changed a file of the error's code, and the same action did not fail before it. An edit of
 * which only the first is known may have brought it.
 */
export function editOf(
  story: Story,
  error: StoryEntry,
  frames: readonly Pick<ChainFrame, "url">[],
  action: StoryEntry | undefined,
): EditCause {
  const edits = story.records.filter(
    (edit) => edit.sequence < error.sequence && isTaken(edit) && touches(edit, frames),
  );
  const last = edits.at(-1);
  if (!last) return { couldBe: [] };
  const earlier = story.records.filter(
    (other) => other.sequence < error.sequence && isSameError(other, error),
  );
  if (earlier.some(({ sequence }) => sequence < last.sequence)) {
    // It was there before the last edit: only an edit before its first time can have brought it.
    const first = earlier[0] as StoryEntry;
    const before = edits.filter(({ sequence }) => sequence < first.sequence);
    return { couldBe: before.slice(-1).map((edit) => recordLink("edit", edit, fileEvidence(edit, frames))) };
  }
  const worked = action && workedBetween(story, action, edits.at(-2)?.sequence ?? 0, last.sequence);
  if (worked)
    return {
      link: recordLink(
        "edit",
        last,
        `${fileEvidence(last, frames)}; before it the same action (#${worked.sequence}) ran without this error`,
      ),
      entry: last,
      couldBe: [],
    };
  return {
    couldBe: edits.map((edit) =>
      recordLink("edit", edit, `${fileEvidence(edit, frames)}; the error is new since`),
    ),
  };
}

function isTaken({ type, data }: StoryEntry): boolean {
  return type === "edit" && (data.outcome === undefined || TAKEN.test(String(data.outcome)));
}

const filesOf = ({ data }: StoryEntry): string[] =>
  Array.isArray(data.files) ? data.files.filter((file): file is string => typeof file === "string") : [];

/** Whether code at an address comes from a file: the address without its query ends with the path. */
export function isOfFile(url: string, file: string): boolean {
  const path = url.split(/[?#]/)[0] ?? "";
  const end = file.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  return end !== "" && (path === end || path.endsWith(`/${end}`));
}

const touchedFile = (edit: StoryEntry, frames: readonly Pick<ChainFrame, "url">[]): string | undefined =>
  filesOf(edit).find((file) => frames.some(({ url }) => isOfFile(url, file)));

const touches = (edit: StoryEntry, frames: readonly Pick<ChainFrame, "url">[]): boolean =>
  touchedFile(edit, frames) !== undefined;

const fileEvidence = (edit: StoryEntry, frames: readonly Pick<ChainFrame, "url">[]): string =>
  `it changed ${touchedFile(edit, frames)}, which this error's code is in`;

function isSameError({ type, data }: StoryEntry, error: StoryEntry): boolean {
  return type === error.type && data.text === error.data.text;
}

/** The same action between two records; with the error gone, it is known to have worked then. */
function workedBetween(
  story: Story,
  action: StoryEntry,
  after: number,
  before: number,
): StoryEntry | undefined {
  const wanted = described(action);
  return story.records.findLast(
    (other) =>
      isAction(other) && other.sequence > after && other.sequence < before && described(other) === wanted,
  );
}

const described = ({ type, data }: StoryEntry): string =>
  JSON.stringify([type, data.type, data.action, data.target, data.locators, data.url, data.key]);
