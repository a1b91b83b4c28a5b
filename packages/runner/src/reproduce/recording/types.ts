import type { Interaction } from "@debug-bridge/protocol";

/** One thing to do again. Times are milliseconds since the recording began. */
export interface Step
  extends Pick<
    Interaction,
    "locators" | "value" | "secret" | "committed" | "key" | "button" | "modifiers" | "x" | "y" | "files"
  > {
  readonly id: number;
  readonly at: number;
  readonly action: Interaction["action"] | "goto" | "back";
  /** Where `goto` leads. */
  readonly url?: string;
  readonly by: "person" | "agent";
}

/** A request of a script with its answer. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly postData?: string;
  readonly status: number;
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** None when it was too long, no text, or not recorded: then the replay asks the server. */
  readonly body?: string;
  /** When it was sent and answered, in milliseconds since the recording began. */
  readonly from: number;
  readonly until: number;
  /** It failed without an answer. */
  readonly failed?: boolean;
}

export interface Place {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** What went wrong: an error by its message and place, or a text that should not be shown. */
export interface Failure {
  readonly kind: "error" | "console" | "text";
  readonly message: string;
  /** Where the code was written, if that is known. */
  readonly place?: Place;
  readonly at: number;
}

/** A recording, ready to be replayed. */
export interface Recording {
  readonly url: string;
  /** When it began, in milliseconds since the epoch. */
  readonly time: number;
  /** When it ended, in milliseconds since it began. */
  readonly ends: number;
  readonly timeZone: string;
  readonly language: string;
  readonly width: number;
  readonly height: number;
  /** The seed of `Math.random`; unknown when left out. */
  readonly seed?: number;
  readonly steps: readonly Step[];
  readonly exchanges: readonly Exchange[];
  readonly failures: readonly Failure[];
}
