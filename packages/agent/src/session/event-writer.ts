import type { AgentFolder } from "@debug-bridge/journal";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";

/** A field above this many characters of JSON is stored as a blob, once, and referred to. */
const INLINE = 8_192;
/** Answers and errors are read by whoever waits for them, so they stay in their line while a line can hold them. */
const INLINE_ANSWER = AGENT_LINE_LIMITS.bytes / 4;
const ANSWERS = new Set(["command_response", "error"]);

/** What an event writer writes to. */
export interface EventSink {
  readonly id: string;
  readonly events: Pick<AgentFolder["events"], "append">;
  readonly blobs: Pick<AgentFolder["blobs"], "put">;
}

/**
 * Writes events, numbered by one. Payloads are kept whole: large ones as blobs. When the disk refuses, the agent does
 * not notice; the next event that can be written comes after a `gap` that tells how many were lost.
 */
export class EventWriter {
  private dropped = 0;

  constructor(
    private readonly sink: EventSink,
    public sequence = 0,
  ) {}

  emit(type: string, data: Readonly<Record<string, unknown>>): void {
    try {
      const lines: string[] = [];
      let { sequence } = this;
      if (this.dropped > 0) {
        const reason = "the events could not be written";
        lines.push(this.line("gap", { dropped: this.dropped, reason }, ++sequence));
      }
      lines.push(this.line(type, data, ++sequence));
      this.sink.events.append(...lines);
      this.sequence = sequence;
      this.dropped = 0;
    } catch {
      this.dropped++;
    }
  }

  private line(type: string, data: Readonly<Record<string, unknown>>, sequence: number): string {
    const limit = ANSWERS.has(type) ? INLINE_ANSWER : INLINE;
    const fields: string[] = [];
    for (const [key, value] of Object.entries(data)) {
      const json = jsonOf(value);
      if (json === undefined) continue;
      const stored = json.length > limit ? JSON.stringify(this.sink.blobs.put(json)) : json;
      fields.push(`${JSON.stringify(key)}:${stored}`);
    }
    const timestamp = new Date().toISOString();
    return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","sessionId":${JSON.stringify(this.sink.id)},"sequence":${sequence},"data":{${fields.join(",")}}}`;
  }
}

/** JSON of whatever an agent passes: a value that has none is described, and stops nothing. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    return JSON.stringify(`[cannot be written as JSON: ${(thrown as Error).message}]`);
  }
}
