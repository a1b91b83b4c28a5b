import { join } from "node:path";
import { maskUrl } from "@debug-bridge/driver";
import { truncate } from "@debug-bridge/protocol";
import { RefusalCounter } from "./audit/refusal-counter.js";
import { RotatingFile } from "./audit/rotating-file.js";

const MAX_BYTES = 10 * 1024 * 1024;
/** Strangers choose what they ask for: paths, names, ids. */
const MAX_CHARACTERS = 200;
/** Clients that were admitted may be refused more different things before they are only counted. */
const MAX_DIFFERENT_OF_CLIENTS = 1_000;

/** Outcomes of commands that did not run because somebody or some setting did not allow it. */
const REFUSED: ReadonlySet<unknown> = new Set([
  "auth_required",
  "eval_disabled",
  "forbidden_host",
  "forbidden_origin",
  "invalid_message",
  "lease_held",
  "not_supported",
  "rate_limit",
  "read_only",
]);
/** Whether an outcome means that a command was not allowed. */
export function isRefusal(outcome: unknown): boolean {
  return REFUSED.has(outcome);
}

/** Texts of these characters only cannot hold an address with a secret. */
const PLAIN = /^[\w .:#-]*$/;

/** Who did what, and with which outcome. Typed text is never in it. */
export interface AuditRecord {
  readonly who: string;
  readonly what: string;
  readonly session?: string;
  readonly target?: unknown;
  readonly outcome: string;
}

/**
 * Appends acts to `audit.jsonl` and refusals to `audit-refused.jsonl`, one line for each act, in order. Refusals, which anyone can
 * cause, are counted when they repeat, and have a separate file: no number of them pushes an act out. A full file becomes
 * `FILE.1`. Secrets in URLs are masked.
 */
export class AuditLog {
  private readonly acts: RotatingFile;
  private readonly refusals: RotatingFile;
  private readonly strangers: RefusalCounter<object>;
  private readonly clients: RefusalCounter<object>;
  /** Acts of this turn of the event loop, with their time. Their lines are written after it, so that no reply waits for them. */
  private unwritten: { readonly record: AuditRecord; readonly at: number }[] = [];

  constructor(
    home: string,
    { maxBytes = MAX_BYTES, windowMs }: { maxBytes?: number; windowMs?: number } = {},
  ) {
    this.acts = new RotatingFile(join(home, "audit.jsonl"), maxBytes);
    this.refusals = new RotatingFile(join(home, "audit-refused.jsonl"), maxBytes);
    const append = (refusal: object, count: number): void =>
      this.refusals.append(lineOf(count > 1 ? { ...refusal, count } : refusal));
    this.strangers = new RefusalCounter(append, windowMs);
    this.clients = new RefusalCounter(append, windowMs, MAX_DIFFERENT_OF_CLIENTS);
  }

  /** Writes down what a client did, or was not allowed to do. */
  write(record: AuditRecord): void {
    if (isRefusal(record.outcome)) this.count(this.clients, record);
    else if (this.unwritten.push({ record, at: Date.now() }) === 1) setImmediate(() => this.writeActs());
  }

  private writeActs(): void {
    const acts = this.unwritten;
    this.unwritten = [];
    for (const { record, at } of acts) this.acts.append(lineOf(shown(record), at));
  }

  /** Writes down what was refused before it could become an act. */
  refuse(record: AuditRecord): void {
    this.count(this.strangers, record);
  }

  private count(counter: RefusalCounter<object>, record: AuditRecord): void {
    const { who, what, session, outcome } = record;
    const key = [who, what, session, outcome].map((text) => text?.slice(0, MAX_CHARACTERS));
    counter.count(JSON.stringify(key), () => shown(record));
  }

  /** Resolves when everything written so far is on disk. */
  async settled(): Promise<void> {
    this.writeActs();
    this.strangers.flush();
    this.clients.flush();
    await Promise.all([this.acts.settled(), this.refusals.settled()]);
  }
}

function lineOf(record: object, at = Date.now()): string {
  return JSON.stringify({ timestamp: new Date(at).toISOString(), ...record });
}

/** A record with its texts masked and cut. */
function shown(record: AuditRecord): object {
  const { target, outcome, ...rest } = record;
  return {
    ...(shownValue(rest) as object),
    ...(target === undefined ? {} : { target: shownValue(target) }),
    outcome: shownText(outcome, 2 * MAX_CHARACTERS),
  };
}

function shownValue(value: unknown): unknown {
  if (typeof value === "string") return shownText(value, MAX_CHARACTERS);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shownValue);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownValue(each)]));
}

function shownText(text: string, max: number): string {
  return truncate(PLAIN.test(text) ? text : maskUrl(text.slice(0, 4_096)), max);
}
