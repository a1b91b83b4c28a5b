/** A line of a file. */
export interface FileLine {
  readonly text: string;
  /** Whether it was too long to be kept; `text` is empty then. */
  readonly isTooLong: boolean;
}

/** The lines of a file, of which at most one, and only up to a length, is in memory. */
export async function* readFileLines(file: Blob, maxLength: number): AsyncGenerator<FileLine> {
  let held = "";
  let isTooLong = false;
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = value.split("\n");
    const rest = parts.pop() as string;
    for (const part of parts) {
      const isLong = isTooLong || held.length + part.length > maxLength;
      yield isLong ? { text: "", isTooLong: true } : { text: held + part, isTooLong: false };
      held = "";
      isTooLong = false;
    }
    isTooLong ||= held.length + rest.length > maxLength;
    held = isTooLong ? "" : held + rest;
  }
  if (held !== "" || isTooLong) yield { text: held, isTooLong };
}
