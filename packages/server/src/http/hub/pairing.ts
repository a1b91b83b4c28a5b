import { BridgeError } from "@debug-bridge/protocol";
import { Hono } from "hono";
import type { CodeWindow } from "../../wires/pairing/code-window.js";
import { eventStream } from "../sse.js";

const MAX_BODY_CHARACTERS = 1_000;

/**
 * `/v1/pairing`: lets a terminal pair an extension by a code. The window is open as long as the response is read. Any
 * client that gets here has the token, even on a hub with `--auth none`.
 */
export function pairingRoutes(window: CodeWindow): Hono {
  const api = new Hono();
  api.post("/", () => eventStream((send) => window.start((state) => void send(JSON.stringify(state)))));
  api.post("/answer", async (c) => {
    const text = (await c.req.text()).slice(0, MAX_BODY_CHARACTERS);
    const { code, same } = readAnswer(text);
    window.answer(code, same);
    return c.json({ ok: true });
  });
  return api;
}

function readAnswer(text: string): { code: string; same: boolean } {
  try {
    const { code, same } = Object(JSON.parse(text)) as { code?: unknown; same?: unknown };
    if (typeof code === "string" && typeof same === "boolean") return { code, same };
  } catch {
    // The same advice as for any other text.
  }
  throw new BridgeError(
    "invalid_message",
    'send {"code": "123456", "same": true} if both show this code, else false',
    {
      field: "same",
    },
  );
}
