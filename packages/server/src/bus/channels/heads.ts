import { BridgeError } from "@debug-bridge/protocol";
import { check, idField } from "@debug-bridge/protocol/schemas";
import { z } from "zod";

/** A peer of the app wire, which another hub has admitted. */
const peerHead = z.object({
  kind: z.literal("peer"),
  target: z.object({
    role: z.enum(["app", "agent"]),
    sessionId: idField,
    name: z.string().max(120).optional(),
    records: z.boolean(),
    deltas: z.boolean(),
    quiet: z.boolean(),
    sessions: z.boolean(),
    since: z.int().min(0).optional(),
  }),
  origin: z.string().max(2_048).optional(),
  isOpen: z.boolean(),
});

/** A request of the HTTP API for one session. Its body is the first message. */
const httpHead = z.object({
  kind: z.literal("http"),
  sessionId: idField,
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
  /** What follows `/v1/sessions/ID`, with the query. */
  rest: z
    .string()
    .max(65_536)
    .regex(/^($|[/?])/),
  headers: z.array(z.tuple([z.string().max(100), z.string().max(8_192)])).max(20),
});

/** A reader of the records of all sessions. */
const feedHead = z.object({
  kind: z.literal("feed"),
  only: z.enum(["sessions", "changes"]).optional(),
  types: z.array(z.string().max(100)).max(1_000).optional(),
  since: z.number(),
});

/** A client of the CDP wire, which uses the tabs of the other hub. */
const relayHead = z.object({
  kind: z.literal("relay"),
  name: z.string().max(200),
  runId: z.string().max(64).optional(),
});

/** A request of the HTTP API for what a hub keeps in its home. Its body is the first message. */
const homeHead = z.object({
  ...{ kind: z.literal("home"), method: httpHead.shape.method, headers: httpHead.shape.headers },
  path: z
    .string()
    .max(65_536)
    .regex(/^\/(events|v1\/(chats|runs|recordings|browsers))($|[/?])/),
});

const headSchema = z.discriminatedUnion("kind", [peerHead, httpHead, feedHead, relayHead, homeHead]);

/** What a channel is for. Hubs trust each other's word about who was admitted, and nothing else. */
export type ChannelHead = z.infer<typeof headSchema>;
export type PeerHead = z.infer<typeof peerHead>;
export type HttpHead = z.infer<typeof httpHead>;
export type FeedHead = z.infer<typeof feedHead>;
export type RelayHead = z.infer<typeof relayHead>;
export type HomeHead = z.infer<typeof homeHead>;

export function readHead(text: string): ChannelHead {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {}
  const head = check(headSchema, parsed);
  if (head.ok) return head.value;
  throw new BridgeError("invalid_message", `a hub opened a channel that is not valid: ${head.error.message}`);
}
