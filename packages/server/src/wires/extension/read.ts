import { BridgeError, EXTENSION_MESSAGE_LIMITS, type ExtensionEvent } from "@debug-bridge/protocol";
import { decode, extensionMessageSchema } from "@debug-bridge/protocol/schemas";

/** A message of the extension, parsed as far as the relay needs it. Bodies stay text: most are only forwarded. */
export type FromExtension =
  | { readonly kind: "reply"; readonly id: number; readonly ok: boolean; readonly body: string }
  | {
      readonly kind: "cdp";
      readonly tabId: number;
      readonly child: string | undefined;
      readonly method: string;
      readonly params: string;
    }
  | { readonly kind: "event"; readonly event: Exclude<ExtensionEvent, { method: "cdpEvent" }> };

const REPLY = /^\{"id":(\d{1,15}),"(result|error)":/;
const CDP_EVENT =
  /^\{"method":"cdpEvent","params":\{"tabId":(\d{1,15}),(?:"childSessionId":"([^"\\]{1,256})",)?"method":"([A-Za-z]{1,60}\.[A-Za-z]{1,100})","params":/;

/**
 * Reads one frame. The two kinds that make up nearly all of the traffic are recognised by the way our extension writes
 * them and never parsed. Everything else is decoded like any other input.
 */
export function readFromExtension(text: string): FromExtension {
  const reply = REPLY.exec(text);
  if (reply && text.endsWith("}")) {
    return {
      kind: "reply",
      id: Number(reply[1]),
      ok: reply[2] === "result",
      body: text.slice(reply[0].length, -1),
    };
  }
  const event = CDP_EVENT.exec(text);
  if (event && text.endsWith("}}}")) {
    return {
      kind: "cdp",
      tabId: Number(event[1]),
      child: event[2],
      method: event[3] as string,
      params: text.slice(event[0].length, -2),
    };
  }
  const decoded = decode(extensionMessageSchema, text, EXTENSION_MESSAGE_LIMITS);
  if (!decoded.ok) throw decoded.error;
  const message = decoded.value;
  if ("id" in message) {
    const ok = !("error" in message);
    const body = JSON.stringify("error" in message ? message.error : message.result);
    if (body === undefined) throw new BridgeError("invalid_message", "a response has a result or an error");
    return { kind: "reply", id: message.id, ok, body };
  }
  if (message.method !== "cdpEvent") return { kind: "event", event: message };
  const { tabId, childSessionId, method, params } = message.params;
  return { kind: "cdp", tabId, child: childSessionId, method, params: JSON.stringify(params ?? {}) };
}
