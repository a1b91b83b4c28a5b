import { BridgeError, type CommandResult, errorFromBody, type HubResult } from "@debug-bridge/protocol";
import { Hono } from "hono";
import { HUB } from "../../dispatch/command-dispatcher.js";
import type { Sessions } from "../../sessions/registry.js";
import type { Session } from "../../sessions/session.js";

const PICTURE_QUALITY = 60;
const OUTLINE_TOKENS = 6_000;

/** A picture comes from a page: a browser shows it, and does nothing else with it. */
export const PICTURE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cache-control": "no-store",
} as const;

/**
 * `/v1/sessions/:id/picture` and `/outline`: what the page shows now, for a person who looks at it. Looking is not part of
 * the timeline. Readers who ask at the same time share one look.
 */
export function lookRoutes(sessions: Sessions): Hono {
  const api = new Hono();
  const running = new Map<string, Promise<Result>>();
  const look = (id: string, command: { type: string; [key: string]: unknown }): Promise<Result> => {
    const key = `${command.type} ${id}`;
    let answer = running.get(key);
    if (!answer) {
      answer = lookAt(sessions.require(id), command).finally(() => running.delete(key));
      running.set(key, answer);
    }
    return answer;
  };

  api.get("/sessions/:id/picture", async (c) => {
    const { value } = await look(c.req.param("id"), { type: "screenshot", quality: PICTURE_QUALITY });
    const { data, mimeType } = (value ?? {}) as { data?: unknown; mimeType?: unknown };
    if (typeof data !== "string" || mimeType !== "image/jpeg")
      throw new BridgeError("internal", "the page did not return an image");
    return c.body(Buffer.from(data, "base64"), 200, { ...PICTURE_HEADERS, "content-type": mimeType });
  });

  api.get("/sessions/:id/outline", async (c) => {
    const command = { type: "request_ui_tree", format: "text", maxTokens: OUTLINE_TOKENS };
    const { result = "", page } = await look(c.req.param("id"), command);
    return c.json({ text: result, isCut: page?.nextCursor !== undefined });
  });

  return api;
}

type Result = CommandResult | HubResult;

export async function lookAt(
  session: Session,
  command: { type: string; [key: string]: unknown },
): Promise<Result> {
  const result = await session.command(command, HUB);
  if (result.success) return result;
  throw errorFromBody({
    code: result.error ?? "internal",
    message: result.message ?? "the page gave no reason",
  });
}
