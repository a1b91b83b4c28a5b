import type { Edit } from "@debug-bridge/protocol";

const MAX_ERRORS = 50;
const MAX_TEXT = 500;
/** Errors of a page in this time after its `hello`, before any command, come from its start. */
const START_MS = 5_000;
/** A page reports an error at most so long before the development server reports the edit that brought it. */
const LATE_MS = 500;

interface SeenError {
  readonly text: string;
  /** Everything that names a file: the place, the stack. */
  readonly places: string;
  readonly at: number;
  readonly isThrown: boolean;
  /** Whether it came because code was loaded, and not because somebody used the page. */
  isOfLoading: boolean;
}

/**
 * Errors of a page. Of those that came because code was loaded, at the start of the page or by an edit, it can be said that they are
 * gone, because the code runs again. An error of a click says nothing until somebody clicks again.
 */
export class SeenErrors {
  private errors: SeenError[] = [];
  private startedAt = Number.NEGATIVE_INFINITY;
  private lastEffectAt = 0;

  /** A record of the session; `isByEdit` when it came while an edit took effect. */
  onRecord(type: string, json: string, isByEdit: boolean, now: number): void {
    if (type === "hello") this.startedAt = now;
    // What comes now may be its doing.
    if (type === "command") this.startedAt = Number.NEGATIVE_INFINITY;
    if (type !== "error" && type !== "unhandledrejection" && !isConsoleError(type, json)) return;
    const isOfLoading = isByEdit || now - this.startedAt <= START_MS;
    const text = textOf(json);
    if (text === "") return;
    this.errors.push({ text, places: json, at: now, isThrown: type !== "console", isOfLoading });
    if (this.errors.length > MAX_ERRORS) this.errors.shift();
  }

  /** An edit is reported. Pages may be faster than the development server: what they reported just now is its doing. */
  onEdit(now: number): void {
    const since = this.beginOf(now);
    for (const error of this.errors) if (error.at >= since) error.isOfLoading = true;
  }

  /** From when on errors may be of an edit that was reported at this moment: not before the effect of the last one was known. */
  private beginOf(at: number): number {
    return Math.max(at - LATE_MS, this.lastEffectAt);
  }

  /** Errors that nobody caught, since a moment. A page that is loaded reports its first ones before it can write receipts. */
  thrownSince(since: number): string[] {
    return this.errors
      .filter(({ at, isThrown }) => isThrown && at >= this.beginOf(since))
      .map(({ text }) => text);
  }

  /** The errors that an edit removed: they did not come again although their code ran again. Each is reported once. */
  drainGone({ files }: Pick<Edit, "files">, at: number, reloaded: boolean, now: number): string[] {
    const since = this.beginOf(at);
    this.lastEffectAt = now;
    const again = new Set(this.errors.filter(({ at }) => at >= since).map(({ text }) => text));
    const ranAgain = ({ places }: SeenError): boolean =>
      reloaded || files.some((file) => places.includes(file));
    const gone = this.errors.filter(
      (each) => each.isOfLoading && each.at < since && !again.has(each.text) && ranAgain(each),
    );
    this.errors = this.errors.filter((each) => each.at >= since || (!gone.includes(each) && !reloaded));
    return [...new Set(gone.map(({ text }) => text))];
  }
}

function isConsoleError(type: string, json: string): boolean {
  return type === "console" && json.includes('"level":"error"');
}

function textOf(json: string): string {
  const { text, message, reason, args } = JSON.parse(json) as Record<string, unknown>;
  const errorText = text ?? message ?? reason ?? (Array.isArray(args) ? args.join(" ") : "");
  return String(errorText).split("\n")[0]?.slice(0, MAX_TEXT) ?? "";
}
