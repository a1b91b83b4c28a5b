import {
  type BridgeError,
  DEFAULT_MAX_TOKENS,
  type ErrorCode,
  fence,
  stripControlCharacters,
} from "@debug-bridge/protocol";
import { FRAME_TOKENS, fitStart } from "./fit.js";

declare const fenced: unique symbol;

/**
 * Text that may be sent to a model: everything that a page, an agent or a program wrote is inside a fence. Only this file
 * makes it, so that no tool can forget the fence.
 */
export type ModelText = string & { readonly [fenced]: true };

/** An answer before it leaves. */
export interface Answer {
  /** Everything that is not a constant of ours. Leaves fenced. */
  readonly content: string;
  /** Where the content comes from, in our own words. */
  readonly source: string;
  /** Our own words about the answer: constants, numbers and checked cursors only. */
  readonly note?: string | undefined;
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

/** A sentence of our own, without anything that a page said. */
export function ownWords(text: string): ModelText {
  return text as ModelText;
}

/** What to do about an error, in our own words: its message may quote a page and is fenced. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  stale_ref: "Call observe again to get new refs.",
  target_not_found: "If it is an element, call observe to see what is on the page.",
  ambiguous_target: "Use the ref of one of the candidates.",
  session_not_found: "Call sessions to see what is connected.",
  app_not_connected: "Call sessions to see what is connected.",
  cursor_expired: "Call observe again without a cursor.",
  outcome_unknown: "Call observe to see whether it happened, before you repeat it.",
  read_only: "Only a person can change this; do not retry.",
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
  return `error ${code}\n${text}` as ModelText;
}

function candidateLine(candidate: unknown): string {
  const { ref, role, name, text } = (candidate ?? {}) as Record<string, unknown>;
  const label = name ?? text;
  const parts = [ref, role, label === undefined ? undefined : JSON.stringify(label)];
  const known = parts.filter((part) => typeof part === "string");
  return `candidate: ${known.length > 0 ? known.join(" ") : JSON.stringify(candidate)}`;
}

/** A cursor that may be shown outside of a fence. A page could put anything else there. */
export function safeCursor(cursor: unknown): string | undefined {
  return typeof cursor === "string" && /^[\w.]{1,100}$/.test(cursor) ? cursor : undefined;
}

/** A number that may be shown outside of a fence. */
export function safeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
