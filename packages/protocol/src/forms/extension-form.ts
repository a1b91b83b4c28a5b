import { BridgeError } from "../errors.js";
import type { Incoming, WireForm } from "../responder.js";
import type { ExtensionCommand, ExtensionEvent } from "../schema/extension.js";

/** A command without its id: what the relay asks of the extension. */
export type ExtensionRequest = ExtensionCommand extends infer C
  ? C extends { id: number }
    ? Omit<C, "id">
    : never
  : never;

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

/** The extension wire: numeric ids, `{id, result}` or `{id, error}` back, anything without an id is an event. */
export function extensionForm(): WireForm<ExtensionRequest, unknown, ExtensionEvent | ExtensionCommand> {
  return {
    read(data): Incoming<ExtensionRequest, unknown, ExtensionEvent | ExtensionCommand> {
      const frame = JSON.parse(data) as Frame | null;
      if (typeof frame !== "object" || frame === null) {
        throw new BridgeError("invalid_message", "a message is an object");
      }
      if (frame.id === undefined) return { kind: "event", event: frame as ExtensionEvent };
      const id = String(frame.id);
      if (frame.method !== undefined)
        return { kind: "request", id, body: frame as unknown as ExtensionRequest };
      if (frame.error !== undefined) return { kind: "failure", id, error: fromText(frame.error) };
      return { kind: "reply", id, reply: frame.result };
    },
    request: (id, body) => ({ id: Number(id), ...body }),
    reply: (id, _body, result) => ({ id: Number(id), result: result ?? {} }),
    failure: (id, _body, error) => ({ id: Number(id), error: `${error.code}: ${error.message}` }),
  };
}

/** Reads `code: message`, as BridgeError writes it; any other text is an internal error of the extension. */
function fromText(text: string): BridgeError {
  const match = /^([a-z_]+): (.*)$/s.exec(text);
  return BridgeError.fromBody(
    match ? { code: match[1] as string, message: match[2] as string } : { message: text },
  );
}
