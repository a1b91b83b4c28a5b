import type { AgentFolder } from "@debug-bridge/journal";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";

/** A field with more characters of JSON is stored once as a blob, and the event refers to it. */
const MAX_INLINE = 8_192;
/** Responses and errors stay in their line as long as it can hold them, for the reader that waits for them. */
const MAX_INLINE_RESPONSE = AGENT_LINE_LIMITS.bytes / 4;
const RESPONSES = new Set(["command_response", "error"]);

/** Where an event writer writes. */
export interface EventSink {
  readonly id: string;
  readonly events: Pick<AgentFolder["events"], "append">;
  readonly blobs: Pick<AgentFolder["blobs"], "put">;
}

/**
 * Writes numbered events. Payloads are complete; large ones are stored as blobs. A write error does not reach the agent:
 * the next event that can be written follows a `gap` event with the number of lost events.
 */
export class EventWriter {
  private dropped = 0;

  constructor(
    private readonly sink: EventSink,
    public sequence = 0,
  ) {}

  emit(type: string, data: Readonly<Record<string, unknown>>, at = new Date()): void {
    try {
      const lines: string[] = [];
      let { sequence } = this;
      if (this.dropped > 0) {
        const reason = "the events could not be written";
        lines.push(this.line("gap", { dropped: this.dropped, reason }, ++sequence, at));
      }
      lines.push(this.line(type, data, ++sequence, at));
      this.sink.events.append(...lines);
      this.sequence = sequence;
      this.dropped = 0;
    } catch {
      this.dropped++;
    }
  }

  private line(type: string, data: Readonly<Record<string, unknown>>, sequence: number, at: Date): string {
    const limit = RESPONSES.has(type) ? MAX_INLINE_RESPONSE : MAX_INLINE;
    const fields: string[] = [];
    for (const [key, value] of Object.entries(data)) {
      const json = jsonOf(value);
      if (json === undefined) continue;
      const stored = json.length > limit ? JSON.stringify(this.sink.blobs.put(json)) : json;
      fields.push(`${JSON.stringify(key)}:${stored}`);
    }
    const timestamp = at.toISOString();
    return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","sessionId":${JSON.stringify(this.sink.id)},"sequence":${sequence},"data":{${fields.join(",")}}}`;
  }
}

/** JSON of any value. A value without a JSON form is described instead. Never throws. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    return JSON.stringify(`[cannot be written as JSON: ${(thrown as Error).message}]`);
  }
}
