import type { Person } from "./person.js";

/** An app with a known bug, and a person who runs into it among many other actions. */
export interface ReproduceCase {
  readonly name: string;
  /** How many actions lead to the failure at least. */
  readonly minimum: number | "known afterwards";
  /** What to look for, when it is not the last uncaught error. */
  readonly shows?: string;
  /** The page's own part; controls that have nothing to do with the bug are around it. */
  readonly html: string;
  /** The code. `FIXED` in it is true after the fix. */
  readonly script: string;
  /** Answers the requests of the app. */
  api?(path: string, body: string): Promise<ApiAnswer> | ApiAnswer;
  play(person: Person): Promise<void>;
}

interface ApiAnswer {
  readonly status?: number;
  readonly json: unknown;
}
