import { BridgeError } from "../errors.js";

const MAX_PENDING_CHARACTERS = 64_000_000;

/** Splits a stream of server-sent events into the data of its events. */
export class SseParser {
  private rest = "";
  private data: string[] = [];

  /** Reads a piece of the stream and returns the data of every event that it completes. */
  push(chunk: string): string[] {
    const complete: string[] = [];
    const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    if (this.rest.length > MAX_PENDING_CHARACTERS)
      throw new BridgeError("too_large", `an event is above ${MAX_PENDING_CHARACTERS} characters`);
    for (const line of lines) {
      if (line === "") {
        if (this.data.length > 0) complete.push(this.data.join("\n"));
        this.data = [];
      } else if (line.startsWith("data:")) this.data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    }
    return complete;
  }
}
