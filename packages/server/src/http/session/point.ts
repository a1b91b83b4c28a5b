import { APP_MESSAGE_LIMITS, BridgeError } from "@debug-bridge/protocol";
import { check, highlightSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import { Hono } from "hono";
import { HUB } from "../../dispatch/command-dispatcher.js";
import type { Sessions } from "../../sessions/registry.js";
import { lookAt } from "./look.js";

const PICK_TIMEOUT_MS = 60_000;

/**
 * `/v1/sessions/:id/highlight` and `/pick`: marks an element in the live page, and lets the person at the page choose one. A
 * request that ends before somebody chose ends the choosing.
 */
export function pointRoutes(sessions: Sessions): Hono {
  const api = new Hono();
  let picks = 0;
  api.post("/sessions/:id/highlight", async (c) => {
    const session = sessions.require(c.req.param("id"));
    const parsed = parseBounded((await c.req.text()) || "{}", APP_MESSAGE_LIMITS);
    if (!parsed.ok) throw parsed.error;
    const { target } = Object(parsed.value) as { target?: unknown };
    const wire = { type: "highlight", sessionId: session.id, timestamp: Date.now(), origin: "agent" };
    const command = check(highlightSchema, { ...wire, ...(target === undefined ? {} : { target }) });
    if (!command.ok) throw command.error;
    await lookAt(session, command.value);
    return c.json({ ok: true });
  });

  api.post("/sessions/:id/pick", async (c) => {
    const session = sessions.require(c.req.param("id"));
    if (session.appCount === 0)
      throw new BridgeError(
        "app_not_connected",
        `no page of session "${session.id}" is connected; open the app, then try again`,
      );
    const requestId = `pick-${++picks}`;
    const cancel = (): void => void session.command({ type: "cancel", requestId }, HUB).catch(() => {});
    c.req.raw.signal.addEventListener("abort", cancel);
    const { value } = await lookAt(session, { type: "pick", requestId, timeoutMs: PICK_TIMEOUT_MS });
    return c.json(value ?? {});
  });
  return api;
}
