import { BridgeError } from "@debug-bridge/protocol";
import { check } from "@debug-bridge/protocol/schemas";
import { Hono } from "hono";
import { z } from "zod";
import type { BrowserLease } from "../providers/browsers/browser-pool.js";
import { type Browsers, noBrowser } from "../providers/browsers/browsers.js";
import { labelsSchema } from "../providers/browsers/labels.js";

const DEFAULT_LEASE_MS = 60_000;
const MAX_LEASE_MS = 60 * 60_000;
const DEFAULT_WAIT_MS = 60_000;
const MAX_WAIT_MS = 30 * 60_000;

const leaseField = z.int().min(1_000).max(MAX_LEASE_MS);
const requestSchema = z.strictObject({
  labels: labelsSchema.default({}),
  leaseMs: leaseField.default(DEFAULT_LEASE_MS),
  waitMs: z.int().min(1).max(MAX_WAIT_MS).default(DEFAULT_WAIT_MS),
});
const renewalSchema = z.strictObject({ leaseMs: leaseField.optional() });

/** Browsers by label: ask for one, renew its lease, end it. What is below a session is answered by the hub that has it. */
export function browserRoutes(browsers: Browsers, { readOnly }: { readonly readOnly: boolean }): Hono {
  const app = new Hono();

  app.post("/browsers", async (c) => {
    if (readOnly)
      throw new BridgeError("read_only", "this hub is read-only (--read-only), so it starts no browsers");
    const wanted = read(requestSchema, await c.req.text());
    return c.json(await browsers.requests.request(wanted, c.req.raw.signal), 201);
  });
  app.get("/browsers", (c) =>
    c.json({ waiting: browsers.requests.size, browsers: browsers.pool?.sessions() ?? [] }),
  );
  app.get("/sessions/:id/browser", (c) => {
    const id = c.req.param("id");
    return c.json(found(id, browsers.pool?.lease(id)));
  });
  app.post("/sessions/:id/browser", async (c) => {
    const id = c.req.param("id");
    const { leaseMs } = read(renewalSchema, await c.req.text());
    return c.json(found(id, browsers.pool?.renew(id, leaseMs)));
  });
  app.delete("/sessions/:id/browser", async (c) => {
    const id = c.req.param("id");
    if (!(await browsers.pool?.end(id))) throw noBrowser(id);
    return c.json({ success: true });
  });
  return app;
}

function found(id: string, lease: BrowserLease | undefined): object {
  if (!lease) throw noBrowser(id);
  return { session: id, ...lease };
}

function read<Value>(schema: z.ZodType<Value>, text: string): Value {
  let body: unknown;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new BridgeError("invalid_message", "the body is not JSON");
  }
  const read = check(schema, body);
  if (!read.ok) throw read.error;
  return read.value;
}
