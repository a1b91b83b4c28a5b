import {
  type AppMessage,
  type DevServerEvent,
  type Edit,
  isDevServerTraffic,
  type Receipt,
} from "@debug-bridge/protocol";
import type { CauseTracker } from "../dispatch/cause-tracker.js";
import { ALL_EDITS, EarlyEffects } from "./early-effects.js";
import { withoutSameAgain } from "./same-again.js";
import { SeenErrors } from "./seen-errors.js";

/** A page that has not reported what an edit did after this time will not. */
const EFFECT_TIMEOUT_MS = 8_000;
/** After an error of a build pages run the code that they have. They are only given time to say so. */
const ERROR_TIMEOUT_MS = 1_000;
/** A page that left so recently may be loading again. */
const RELOAD_MS = 5_000;
const MAX_RESULTS = 50;
const MAX_ERRORS = 50;

/** An edit whose effect is known, or is known not to come. */
export interface EditResult {
  /** When it was saved. */
  readonly at: number;
  /** Until when pages were surely as before. */
  readonly startedAt: number;
  /** The sequence of its last record. */
  readonly sequence: number;
  readonly files: readonly string[];
  readonly receipt: Receipt;
}

interface OpenEdit {
  readonly edit: Edit;
  readonly at: number;
  readonly sequence: number;
  readonly timer: NodeJS.Timeout;
}

type Effect = Partial<Extract<AppMessage, { type: "edit_effect" }>> & { readonly receipt: Receipt };

export interface EditHost {
  readonly causes: CauseTracker;
  /** For how many milliseconds no page has been connected that can report what an edit did; 0 while one is. */
  goneFor(): number;
  record(type: string, json: string, causedBy?: number): number;
}

/** Joins what a development server reports of an edit with what the page reports of its effect. */
export class EditTracker {
  private readonly errors = new SeenErrors();
  /** Oldest first. */
  readonly results: EditResult[] = [];
  /** Whether a development server reports here. */
  isReporting = false;
  /** The folder of the project, on the machine of the development server. */
  root: string | undefined;
  private readonly open = new Map<string, OpenEdit>();
  private readonly early = new EarlyEffects();
  /** Ids of edits whose result is given, oldest first. */
  private ended: string[] = [];
  private readonly listeners = new Set<() => void>();
  /** The trackers of sessions that show the same pages, and that report nothing about edits themselves. */
  private followers: readonly EditTracker[] = [];

  constructor(private readonly host: EditHost) {}

  /** Whether an edit of this file has begun whose effect is unknown so far. */
  hasOpen(matches: (files: readonly string[]) => boolean): boolean {
    return [...this.open.values()].some(({ edit }) => matches(edit.files));
  }

  /** The listener is called when an edit begins or ends. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What a development server reports; `followers` get it too, and what the page reports because of it. */
  onReport(events: readonly DevServerEvent[], followers: readonly EditTracker[] = []): void {
    this.isReporting = true;
    this.followers = followers;
    for (const follower of followers) follower.onReport(events);
    for (const event of events) {
      const { type, ...data } = event;
      if (event.type === "dev_server") this.root = event.root;
      if (event.type === "edit") this.onEdit(event);
      else this.host.record(type, JSON.stringify(data));
    }
  }

  /** Whether a message of a page is about edits, or is traffic of a development server, and no separate record. */
  consumes(message: AppMessage): boolean {
    if (message.type === "edit_effect") this.onEffect(message);
    else return this.isReporting && isDevServerTraffic({ type: message.type, data: message });
    return true;
  }

  /** A record was written. */
  onRecord(type: string, json: string): void {
    this.errors.onRecord(type, json, this.open.size > 0, Date.now());
  }

  /** Files were saved. */
  private onEdit(edit: Edit, now = Date.now()): void {
    const { type: _type, at: _at, ...data } = edit;
    this.errors.onEdit(now);
    const sequence = this.host.record("edit", JSON.stringify(data));
    const isError = edit.outcome === "build_error";
    const reachesPage = isError || edit.outcome === "hot_update" || edit.outcome === "full_reload";
    const timeoutMs = isError ? ERROR_TIMEOUT_MS : EFFECT_TIMEOUT_MS;
    const timer = setTimeout(() => this.onSilence(edit.id), timeoutMs);
    timer.unref();
    const open = { edit, at: now, sequence, timer };
    this.open.set(edit.id, open);
    const early = reachesPage ? this.early.find(edit, now) : undefined;
    if (early) this.close([open], early);
    else if (reachesPage && this.host.goneFor() < RELOAD_MS) this.host.causes.begin(sequence);
    else this.close([open], { missed: reachesPage, receipt: { settled: true, durationMs: 0 } });
    this.changed();
  }

  /**
   * A page reports what edits did to it. Pages that were loaded again, or whose server does not say which edit an update is from (`*`),
   * mean all that are open.
   */
  private onEffect(effect: Extract<AppMessage, { type: "edit_effect" }>): void {
    const { edits, reloaded = false } = effect;
    for (const follower of this.followers) follower.onEffect(effect);
    // A page that was slow to load again because of an edit whose result is given: later edits did not do that.
    if (reloaded && edits.length > 0 && edits.every((id) => this.ended.includes(id))) return;
    const all = [...this.open.values()];
    const meant =
      reloaded || edits.includes(ALL_EDITS) ? all : all.filter(({ edit }) => edits.includes(edit.id));
    if (meant.length > 0) this.close(meant, effect);
    else this.early.keep(effect, Date.now());
    this.changed();
  }

  private onSilence(id: string): void {
    const open = this.open.get(id);
    if (open)
      this.close([open], { missed: true, receipt: { settled: false, durationMs: EFFECT_TIMEOUT_MS } });
    this.changed();
  }

  private close(open: readonly OpenEdit[], { receipt, reloaded = false, missed, kept, lost }: Effect): void {
    const [first] = open;
    const last = open.at(-1);
    if (!first || !last) return;
    for (const { edit, sequence, timer } of open) {
      clearTimeout(timer);
      this.open.delete(edit.id);
      this.ended = [...this.ended, edit.id].slice(-MAX_RESULTS);
      this.host.causes.end(sequence);
    }
    const files = [...new Set(open.flatMap(({ edit }) => edit.files))];
    // A page that was loaded again without the code that could not be built shows the error, not the edit.
    const isBroken = last.edit.outcome === "build_error";
    const outcome = reloaded && !isBroken ? "full_reload" : last.edit.outcome;
    const ran = outcome === "hot_update" || outcome === "full_reload";
    const thrown = reloaded ? this.errors.thrownSince(first.at) : [];
    const fixed = open.flatMap(({ edit }) => edit.fixed ?? []);
    const gone = [...fixed, ...(ran ? this.errors.drainGone({ files }, first.at, reloaded, Date.now()) : [])];
    const errors = [...new Set([...(receipt.errors ?? []), ...thrown])].slice(0, MAX_ERRORS);
    // What a page shows of a build error is the error, which is here already.
    const { settled, durationMs } = receipt;
    const { receipt: shown, recreated } = withoutSameAgain(receipt);
    const whole: Receipt = {
      ...(outcome === "build_error" ? { settled, durationMs } : shown),
      ...(errors.length > 0 ? { errors } : {}),
      edit: {
        files,
        outcome,
        ...(last.edit.error ? { error: last.edit.error } : {}),
        ...(missed && ran ? { unreported: true } : {}),
        ...(open.length > 1 ? { saves: open.length } : {}),
        ...(gone.length > 0 ? { gone } : {}),
        ...(recreated > 0 && ran ? { recreated } : {}),
        ...(kept ? { kept } : {}),
        ...(lost ? { lost } : {}),
      },
    };
    this.host.record("edit_result", JSON.stringify({ receipt: whole }), last.sequence);
    const startedAt = Math.min(...open.flatMap(({ at, edit }) => [at, edit.at ?? at]));
    this.results.push({ at: last.at, startedAt, sequence: last.sequence, files, receipt: whole });
    if (this.results.length > MAX_RESULTS) this.results.shift();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
