import { createReadStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { hubProof } from "@debug-bridge/client";
import { BridgeError, CHAT_RUN_LIMITS, httpStatusOf } from "@debug-bridge/protocol";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HUB_LIMITS } from "../bounds/limits.js";
import { type AssetRequest, checkReader } from "../security/asset-readers.js";
import { admit, checkHost, type GateOptions, type Request } from "../security/gate.js";
import type { PanelKeys } from "../security/panel.js";
import type { CodeWindow } from "../wires/pairing/code-window.js";
import { apiRoutes, type SharingPort } from "./api.js";
import type { Feed } from "./feed.js";
import { type BrowserPort, browserRoutes } from "./hub/browsers.js";
import { type ChatPort, chatEvents, chatRoutes } from "./hub/chats.js";
import { homesOfAll } from "./hub/homes.js";
import type { OtherHubs } from "./hub/other-hubs.js";
import { pairingRoutes } from "./hub/pairing.js";
import { isForPanel, isFromPanel, panelCommandGuard, panelRoutes } from "./hub/panel.js";
import { type RecordingPort, recordingRoutes } from "./hub/recordings.js";
import { type SettingsPort, settingsRoutes } from "./hub/settings.js";
import { frameRoutes } from "./session/frames.js";
import { lookRoutes } from "./session/look.js";
import { type LocateSource, placeRoutes } from "./session/places.js";
import { pointRoutes } from "./session/point.js";
import { projectFileRoutes } from "./session/project-file.js";
import { replayRoutes } from "./session/replay.js";
import { shareRoutes } from "./session/share.js";
import { sourceRoutes } from "./session/source.js";
import { timelineRoutes } from "./session/timeline.js";
import { type WhyPort, whyRoutes } from "./session/why.js";

/** A file that the hub serves: pages and scripts of other packages, by path. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  /** For a page that has no style of its own in its HTML and opens no socket. */
  readonly isStrict?: boolean;
}

/** Answers requests of admitted agents. */
export type RouteHandler = (request: globalThis.Request) => Response | Promise<Response>;

export interface HttpOptions extends RecordingPort, SettingsPort, WhyPort, BrowserPort {
  readonly gate: GateOptions;
  readonly locateSource: LocateSource | undefined;
  readonly feed: Feed;
  readonly sharing: SharingPort;
  readonly chats: ChatPort;
  readonly panel: PanelKeys;
  readonly codeWindow: CodeWindow;
  /** The other hubs of the bus, if there is one. */
  readonly others?: OtherHubs | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
  /** Further routes, by path, for agents only. */
  readonly routes: ReadonlyMap<string, RouteHandler>;
  readonly version: string;
  /** `--read-only`: clients that would act can say so beforehand. */
  readonly readOnly: boolean;
  onRefused(what: string, error: BridgeError): void;
}

const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
} as const;

const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Everything that the hub answers over HTTP. */
export function httpApp(options: HttpOptions): Hono {
  const app = new Hono();

  app.onError((thrown, c) => {
    const error = BridgeError.from(thrown);
    if (httpStatusOf(error) === 401 || httpStatusOf(error) === 403)
      options.onRefused(`${c.req.method} ${c.req.path}`, error);
    return c.json({ error: error.toBody() }, httpStatusOf(error) as 400);
  });
  app.notFound((c) =>
    c.json(
      {
        error: {
          code: "unknown_type",
          message: `nothing at ${c.req.path}; the API is below /v1, the dashboard at /`,
        },
      },
      404,
    ),
  );

  app.use("*", async (c, next) => {
    c.header("x-content-type-options", "nosniff");
    checkHost(c.req.header("host"), options.gate);
    await next();
  });
  app.get("/healthz", (c) => {
    // Clients send their token only to a hub that shows that it knows it.
    const proof = hubProof(options.gate.token, c.req.query("nonce") ?? "");
    const about = {
      ok: true,
      name: "debug-bridge",
      version: options.version,
      sessions: options.sessions.size,
      readOnly: options.readOnly,
    };
    return c.json(proof === undefined ? about : { ...about, proof });
  });

  for (const [path, asset] of options.assets)
    app.get(path, (c) => {
      checkReader(assetRequest(c), options.gate);
      return serve(c, asset);
    });

  for (const path of ["/v1/*", "/events", ...options.routes.keys()]) {
    app.use(path, async (c, next) => {
      const isPanel = isForPanel(c.req.method, c.req.path) && isFromPanel(c, options.panel);
      if (!isPanel) admit(gateRequest(c), "agent", gateFor(c.req.path, options.gate));
      await next();
    });
    app.use(path, (c, next) => (isRun(c.req.path) ? limitRun : limitBody)(c, next));
  }
  const { others } = options;
  app.use(
    "/v1/sessions/:id/commands",
    panelCommandGuard((id) => (others ? others.homes.has("agent", id) : options.chats.runs.isAgentOfRun(id))),
  );
  if (others) {
    for (const path of ["/events", "/v1/chats/*", "/v1/runs/*", "/v1/recordings/*"])
      app.use(path, homesOfAll(others.homes));
    app.use("/v1/sessions/:id/*", async (c, next) => {
      const response = await others.forward(c.req.raw, c.req.param("id"));
      if (response) return response;
      await next();
      return undefined;
    });
  }
  app.route("/panel", panelRoutes(options.panel));
  app.route("/v1/pairing", pairingRoutes(options.codeWindow));
  for (const [path, answer] of options.routes) app.all(path, (c) => answer(c.req.raw));
  app.get("/events", (c) => chatEvents(c, options.chats));
  app.route("/v1", chatRoutes(options.chats, others?.homes));
  app.route("/v1", browserRoutes(options, others?.homes));
  app.route("/v1/sessions/:id", timelineRoutes(options.timelines.ofSession));
  app.route("/v1/recordings/:id", timelineRoutes(options.timelines.ofRecording));
  app.route("/v1", whyRoutes(options));
  app.route("/v1", settingsRoutes(options));
  app.route("/v1", shareRoutes(options));
  app.route("/v1", lookRoutes(options.sessions));
  app.route("/v1", frameRoutes(options));
  app.route("/v1", replayRoutes(options));
  app.route("/v1", pointRoutes(options.sessions));
  app.route("/v1", sourceRoutes(options.sessions, options.readSource));
  app.route("/v1", placeRoutes(options.sessions, options.timelines, options.locateSource));
  app.route("/v1", projectFileRoutes(options.sessions));
  app.route("/v1", recordingRoutes(options));
  app.route("/v1", apiRoutes({ ...options, chats: options.chats.store }));

  return app;
}

const isRun = (path: string): boolean => /^\/v1\/chats\/[^/]+\/runs$/.test(path);
const limitBody = bodyLimit({ maxSize: HUB_LIMITS.body, onError: (c) => refuseBody(c, HUB_LIMITS.body) });
const limitRun = bodyLimit({
  maxSize: CHAT_RUN_LIMITS.bytes,
  onError: (c) => refuseBody(c, CHAT_RUN_LIMITS.bytes),
});

/**
 * A program that pairs gets access to tabs, a chat runs an agent as the person, and recordings may be of times with a token:
 * all of them need the token whatever `--auth` is.
 */
function gateFor(path: string, gate: GateOptions): GateOptions {
  const needsToken =
    /^\/(events|v1\/(pairing|settings|recordings|sessions\/[^/]+\/recording|chats|chat-providers|chat-approvals|runs))(\/|$)/.test(
      path,
    );
  return needsToken ? { ...gate, token: gate.token, auth: "token" } : gate;
}

function gateRequest(c: Context): Request {
  return {
    host: c.req.header("host"),
    origin: c.req.header("origin"),
    authorization: c.req.header("authorization"),
    protocols: undefined,
    queryToken: c.req.query("token"),
  };
}

function assetRequest(c: Context): AssetRequest {
  return {
    origin: c.req.header("origin"),
    referer: c.req.header("referer"),
    site: c.req.header("sec-fetch-site"),
    mode: c.req.header("sec-fetch-mode"),
  };
}

/** The rest of a body that is too long is not read: its connection ends with the answer. */
function refuseBody(c: Context, limit: number): Response {
  const error = new BridgeError(
    "too_large",
    `the body has more than ${limit} bytes, which is the limit; send less`,
  );
  return c.json({ error: error.toBody() }, 413, { connection: "close" });
}

function serve(c: Context, { file, type, isStrict = false }: Asset): Response {
  if (!existsSync(file))
    throw new BridgeError("not_supported", `${c.req.path} was not built; run npm run build`);
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream;
  const origin = c.req.header("origin");
  // For a script with the attribute `crossorigin`; who may have it was checked before.
  const readers = origin === undefined ? {} : { "access-control-allow-origin": origin, vary: "origin" };
  const policy = isStrict ? { "content-security-policy": STRICT_POLICY } : {};
  return c.body(body, 200, { ...PAGE_HEADERS, ...policy, ...readers, "content-type": type });
}
