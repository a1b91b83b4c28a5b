import { APP_MESSAGE_LIMITS, BridgeError, PAIRING_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { decode, panelHelloSchema, panelProveSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import type { PanelKeys } from "../../security/panel.js";

const TICKET = /^Panel\s+([0-9a-f]{64})$/;

/** `/panel`: how pages of the extension prove themselves. Nothing else is read from them before. */
export function panelRoutes(keys: PanelKeys): Hono {
  const api = new Hono();
  api.use("*", bodyLimit({ maxSize: PAIRING_MESSAGE_LIMITS.bytes, onError: tooLarge }));
  api.post("/hello", async (c) => {
    checkOrigin(c);
    const { nonce } = await readBody(c, panelHelloSchema);
    return c.json(await keys.hello(nonce));
  });
  api.post("/prove", async (c) => {
    checkOrigin(c);
    const { nonce, proof } = await readBody(c, panelProveSchema);
    return c.json(await keys.prove(nonce, proof));
  });
  return api;
}

/** The paths that a page of the extension may use: its chats, and what there is to talk about. */
export function isForPanel(method: string, path: string): boolean {
  if (/^\/(events|v1\/chats|v1\/chat-providers|v1\/chat-approvals|v1\/runs)(\/|$)/.test(path)) return true;
  // The list, one session, and its records: not what its page looks like, nor code or files.
  if (method === "GET") return /^\/v1\/sessions(\/[^/]+(\/events)?)?$/.test(path);
  // Which commands, and for whom, is checked once the body can be read.
  return method === "POST" && /^\/v1\/sessions\/[^/]+\/commands$/.test(path);
}

/** Whether a request comes with a ticket of the panel. Throws when the ticket, or where it comes from, is wrong. */
export function isFromPanel(c: Context, keys: PanelKeys): boolean {
  const authorization = c.req.header("authorization") ?? "";
  if (!authorization.startsWith("Panel ")) return false;
  checkOrigin(c);
  keys.check(TICKET.exec(authorization)?.[1] ?? "");
  return true;
}

/** How a person steers an agent from the panel. */
const PANEL_COMMANDS: ReadonlySet<unknown> = new Set(["pause", "resume", "step", "breakpoint"]);

/** Lets a page of the extension steer the agents of chats that run, and nothing else. */
export function panelCommandGuard(
  isAgentOfRun: (sessionId: string) => boolean | Promise<boolean>,
): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header("authorization")?.startsWith("Panel ")) {
      // A copy: the hub that has the session may be another one, and gets the body itself.
      const parsed = parseBounded(await c.req.raw.clone().text(), APP_MESSAGE_LIMITS);
      const type = parsed.ok ? (parsed.value as { type?: unknown } | null)?.type : undefined;
      if (!PANEL_COMMANDS.has(type) || !(await isAgentOfRun(c.req.param("id") ?? "")))
        throw new BridgeError(
          "forbidden_origin",
          `the panel may only send ${[...PANEL_COMMANDS].join(", ")}, to the agent of a chat that runs; for anything else use a client with the token`,
        );
    }
    await next();
  };
}

/** Only pages of extensions, and programs, which send no origin. */
function checkOrigin(c: Context): void {
  const origin = c.req.header("origin");
  if (origin === undefined || /^chrome-extension:\/\/[a-p]{32}$/.test(origin)) return;
  throw new BridgeError("forbidden_origin", `pages of ${origin.slice(0, 200)} may not use the panel's API`);
}

async function readBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const decoded = decode(schema, await c.req.text(), PAIRING_MESSAGE_LIMITS);
  if (decoded.ok) return decoded.value;
  throw decoded.error;
}

function tooLarge(): never {
  throw new BridgeError("too_large", `the body has more than ${PAIRING_MESSAGE_LIMITS.bytes} bytes`);
}
