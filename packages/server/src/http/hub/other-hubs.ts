import type { SessionSummary } from "@debug-bridge/protocol";
import type { FeedRequest } from "../feed.js";
import type { SendEvent } from "../sse.js";
import type { HomesOfOthers } from "./homes.js";

/** The other hubs of the bus, as the HTTP API needs them. */
export interface OtherHubs {
  /** Chats and recordings of the others. */
  readonly homes: HomesOfOthers;
  /** What this hub and the others are called. */
  names(): { readonly name: string; readonly others: readonly string[] };
  /** The sessions of all hubs, this one included, each with the name of its hub. */
  summaries(): Promise<SessionSummary[]>;
  /** Lets the hub that has a session answer a request for it. `undefined` when this hub has to answer. */
  forward(request: globalThis.Request, sessionId: string): Promise<Response | undefined>;
  /** Joins the feed of this hub with those of the others, of hubs that come later too. */
  joinFeeds(wanted: FeedRequest, subscribe: (send: SendEvent) => () => void, send: SendEvent): () => void;
}
