import { BridgeError } from "@debug-bridge/protocol";
import { Hono } from "hono";
import type { CodeWindow } from "../wires/pairing/code-window.js";
import { eventStream } from "./sse.js";

const MAX_BODY_CHARACTERS = 1_000;

/**
 * `/v1/pairing`: lets a terminal pair an extension by a code. The window is open as long as the response is read. Whoever
 * gets here has the token, even on a hub with `--auth none`.
 */
export function pairingRoutes(window: CodeWindow): Hono {
  const api = new Hono();
  api.post("/", () => eventStream((send) => window.start((state) => void send(JSON.stringify(state)))));
  api.post("/answer", async (c) => {
    const text = (await c.req.text()).slice(0, MAX_BODY_CHARACTERS);
    window.answer(readAnswer(text));
    return c.json({ ok: true });
  });
  return api;
}

function readAnswer(text: string): boolean {
  try {
    const { same } = Object(JSON.parse(text)) as { same?: unknown };
    if (typeof same === "boolean") return same;
  } catch {
    // The same advice as for any other text.
  }
  throw new BridgeError("invalid_message", 'send {"same": true} if both show the same code, else false', {
    field: "same",
  });
}
