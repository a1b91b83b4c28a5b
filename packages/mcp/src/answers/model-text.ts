import {
  type BridgeError,
  DEFAULT_MAX_TOKENS,
  type ErrorCode,
  type FenceSource,
  fence,
  shownOrigin,
  stripControlCharacters,
} from "@debug-bridge/protocol";
import { FRAME_TOKENS, fitStart } from "./fit.js";

declare const fenced: unique symbol;
declare const own: unique symbol;

/**
 * Text that may be sent to a model: everything that a page, an agent or a program wrote is inside a fence. Only this file
 * makes it, so that no tool can forget the fence.
 */
export type ModelText = string & { readonly [fenced]: true };

/** Words of ours: nothing in them was written by a page, an agent or a program. */
export type OwnWords = ModelText & { readonly [own]: true };

/** An answer before it leaves. */
export interface Answer {
  /** Everything that is not a constant of ours. Leaves fenced. */
  readonly content: string;
  readonly source: FenceSource;
  /** Our own words about the answer. */
  readonly note?: OwnWords | undefined;
  readonly maxTokens?: number | undefined;
  /** What to do when the content does not fit. */
  readonly advice?: string;
}

/** The one exit for text that goes to a model. */
export function forModel({
  content,
  source,
  note,
  maxTokens = DEFAULT_MAX_TOKENS,
  advice,
}: Answer): ModelText {
  const room = Math.max(maxTokens - FRAME_TOKENS, FRAME_TOKENS);
  const text = fence(fitStart(stripControlCharacters(content), room, advice), source);
  return (note ? `${text}\n${note}` : text) as ModelText;
}

/** Several answers as one. */
export function joined(...texts: readonly ModelText[]): ModelText {
  return texts.join("\n") as ModelText;
}

/**
 * A sentence of our own. Only numbers, and what one of the functions below checked, can be put into it.
 *
 * @example ownWords`version ${safeNumber(version) ?? 0}`
 */
export function ownWords(words: TemplateStringsArray, ...values: readonly (number | OwnWords)[]): OwnWords {
  return String.raw({ raw: words }, ...values) as OwnWords;
}

/** What to do about an error, in our own words: its message may quote a page and is fenced. */
const ADVICE: Partial<Record<ErrorCode, OwnWords>> = {
  stale_ref: ownWords`Call observe again to get new refs.`,
  target_not_found: ownWords`If it is an element, call observe to see what is on the page.`,
  ambiguous_target: ownWords`Use the ref of one of the candidates.`,
  session_not_found: ownWords`Call sessions to see what is connected.`,
  app_not_connected: ownWords`Call sessions to see what is connected.`,
  cursor_expired: ownWords`Call observe again without a cursor.`,
  outcome_unknown: ownWords`Call observe to see whether it happened, before you repeat it.`,
  read_only: ownWords`Only a person can change this; do not retry.`,
};

/** An error as text for a model. Only its code is ours; message and details may quote a page. */
export function errorForModel({ code, message, details }: BridgeError, maxTokens?: number): ModelText {
  const { candidates, ...rest } = details ?? {};
  const content = [
    message,
    ...(Array.isArray(candidates) ? candidates.map(candidateLine) : []),
    ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : []),
  ].join("\n");
  const text = forModel({ content, source: "the error", note: ADVICE[code], maxTokens });
  return joined(ownWords`error ${errorCode({ code })}`, text);
}

function candidateLine(candidate: unknown): string {
  const { ref, role, name, text } = (candidate ?? {}) as Record<string, unknown>;
  const label = name ?? text;
  const parts = [ref, role, label === undefined ? undefined : JSON.stringify(label)];
  const known = parts.filter((part) => typeof part === "string");
  return `candidate: ${known.length > 0 ? known.join(" ") : JSON.stringify(candidate)}`;
}

/** A cursor that may be shown outside of a fence: a letter and up to three numbers. A page could put anything else there. */
export function safeCursor(cursor: unknown): OwnWords | undefined {
  return typeof cursor === "string" && /^[a-z]?\d{1,16}(?:\.\d{1,16}){0,2}$/.test(cursor)
    ? (cursor as OwnWords)
    : undefined;
}

/** The origin of a site that may be shown outside of a fence. */
export function safeOrigin(url: string): OwnWords {
  return (shownOrigin(url) ?? "the site") as OwnWords;
}

/** The code of an error, which is one of ours. */
export function errorCode({ code }: { readonly code: ErrorCode }): OwnWords {
  return code as string as OwnWords;
}

/** A number that may be shown outside of a fence. */
export function safeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
