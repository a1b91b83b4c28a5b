import { BridgeError } from "@debug-bridge/protocol";
import { check } from "@debug-bridge/protocol/schemas";
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { AuditRecord } from "../../audit.js";
import { Lease } from "../../dispatch/lease.js";
import type { Policy } from "../../dispatch/policy.js";
import type { BrowserLease } from "../../providers/browsers/browser-pool.js";
import { type Browsers, noBrowser } from "../../providers/browsers/browsers.js";
import { labelsSchema, queueKey } from "../../providers/browsers/labels.js";
import type { Sessions } from "../../sessions/registry.js";
import { type HomesOfOthers, isFromHub } from "./homes.js";

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

export interface BrowserPort {
  readonly browsers: Browsers;
  readonly sessions: Sessions;
  readonly policy: Policy;
  onAudit(record: AuditRecord): void;
}

/** Browsers by label: ask for one, renew its lease, end it. What is below a session is answered by the hub that has it. */
export function browserRoutes(port: BrowserPort, others: HomesOfOthers | undefined): Hono {
  const app = new Hono();
  const { browsers } = port;

  app.post("/browsers", async (c) => {
    const wanted = read(requestSchema, await c.req.text());
    const started = await audited(port, c, "start a browser", { target: queueKey(wanted.labels) }, () => {
      if (!browsers.canBeServed) throw offersNone();
      return browsers.requests.request(wanted, c.req.raw.signal);
    });
    return c.json(started, 201);
  });
  app.get("/browsers", async (c) => {
    const own = browsers.describe();
    const answers = others && !isFromHub(c) ? [...(await others.askAll(c.req.raw)).values()] : [];
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ hubs: object[] }>));
    const { waiting } = own;
    const hubs = [own, ...bodies.flatMap(({ hubs: found }) => found)];
    return c.json({ waiting, browsers: own.browsers.map(({ session }) => session), hubs });
  });
  app.get("/sessions/:id/browser", (c) => {
    const id = c.req.param("id");
    return c.json(found(id, browsers.pool?.lease(id)));
  });
  app.post("/sessions/:id/browser", async (c) => {
    const session = c.req.param("id");
    const { leaseMs } = read(renewalSchema, await c.req.text());
    const renew = async () => found(session, browsers.pool?.renew(session, leaseMs));
    return c.json(await audited(port, c, "renew a browser", { session }, renew));
  });
  app.delete("/sessions/:id/browser", async (c) => {
    const session = c.req.param("id");
    await audited(port, c, "end a browser", { session }, async () => {
      if (!(await browsers.pool?.end(session))) throw noBrowser(session);
    });
    return c.json({ success: true });
  });
  return app;
}

/** Runs what a client asks for, if the policy lets it, and writes down how it ended. */
async function audited<Value>(
  { policy, sessions, onAudit }: BrowserPort,
  c: Context,
  what: string,
  about: { readonly session?: string; readonly target?: string },
  run: () => Promise<Value>,
): Promise<Value> {
  const name = c.req.header("x-debug-bridge-client")?.slice(0, 100);
  const client = name ? `http:${name}` : "http";
  const record = (outcome: string): void => onAudit({ who: client, what, ...about, outcome });
  try {
    const session = about.session === undefined ? undefined : sessions.get(about.session);
    policy.assert({
      ...{ client, kind: "act", method: what },
      // The person's settings concern their own browser, and none that is started.
      session: session?.dispatcher.policySession() ?? { lease: new Lease() },
    });
    const value = await run();
    record("done");
    return value;
  } catch (thrown) {
    record(BridgeError.from(thrown).code);
    throw thrown;
  }
}

function offersNone(): BridgeError {
  return new BridgeError(
    "not_supported",
    "this hub offers no browsers, and shares none with other hubs; start it with --browsers COUNT",
  );
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
