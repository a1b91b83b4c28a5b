import type { SourceLocation } from "../console/record.js";

/** What a link of an answer to "why" is. */
export type WhyKind =
  | "subject"
  | "code"
  | "timer"
  | "promise"
  | "listener"
  | "request"
  | "message"
  | "action"
  | "edit"
  | "agent"
  | "page";

/** One link of a chain of causes: the one before it happened because of it. */
export interface WhyLink {
  readonly kind: WhyKind;
  /** What it is, in one line. */
  readonly text: string;
  /** How it is known that this caused the link before. Empty for the subject. */
  readonly evidence: string;
  /** The record that it is, and its session if that is another one. */
  readonly sequence?: number;
  readonly sessionId?: string;
  /** Where the code was written. */
  readonly place?: SourceLocation;
  /** The place could not be mapped back to the source: it is one of the file as it is served, which is compiled. */
  readonly isServed?: true;
}

/** `GET …/why`: why a record came about. */
export interface WhyAnswer {
  readonly sequence: number;
  /** The record itself, then its cause, the cause of that, and so on. */
  readonly links: readonly WhyLink[];
  /** Why the chain ends where it does, when what is before it is not known. */
  readonly unknown?: string;
  /** What may have been the cause, where several fit and nothing shows which. None of them is claimed. */
  readonly couldBe: readonly WhyLink[];
  /** What else was noticed: a request that was answered out of order, a listener that ran twice. */
  readonly notes: readonly string[];
}
