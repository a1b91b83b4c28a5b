export interface Finding {
  /** `note`: neither good nor bad. */
  readonly state: "ok" | "note" | "wrong";
  readonly what: string;
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}
