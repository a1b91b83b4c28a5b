import type {
  CommandInput,
  CommandResult,
  HubResult,
  TimelineRecord,
  Transport,
} from "@debug-bridge/protocol";

/**
 * The hub that a launched browser joins. The hub decides whether a command may run, records it, and forwards it to the
 * page, as it does for every other client.
 */
export interface BrowserHub {
  /** Adds an app of this process to a session: the launched page. */
  joinAsApp(sessionId: string, options: { readonly kind: "browser" }): Transport;
  /** Adds a client of this process: `browser_action`. */
  connectClient(options: { readonly name: string }): BrowserHubClient;
}

/** What `browser_action` uses of its connection to the hub. */
export interface BrowserHubClient {
  /** Aborting the signal cancels the command in the page. */
  command(
    sessionId: string,
    input: CommandInput,
    options?: { readonly signal?: AbortSignal },
  ): Promise<CommandResult | HubResult>;
  /** Reports every new record of a session. Returns a function that ends the subscription. */
  subscribe(sessionId: string, listener: (record: TimelineRecord) => void): () => void;
  /** Throws the error that an acting command would get now. */
  mayAct(sessionId: string, method: string): void;
  close(): void;
}
