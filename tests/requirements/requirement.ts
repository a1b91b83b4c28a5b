/** One thing that Debug Bridge must do, in a sentence that a test can show. */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly text: string;
}

/** Names the place in the specification that a group of requirements comes from. */
export function section(source: string, entries: readonly (readonly [string, string])[]): Requirement[] {
  return entries.map(([id, text]) => ({ id, source, text }));
}
