/** Opens a connection to a Chrome: to the relay, or to a Chrome that Playwright launched. */
export type OpenRequest =
  | { readonly type: "connect"; readonly cdpUrl: string }
  | { readonly type: "attach"; readonly endpoint: string };

/** To the worker. Each message gets one reply with its id. */
export type ToWorker = { readonly id: string } & (
  | OpenRequest
  | { readonly type: "run"; readonly code: string }
);

/** From the worker. */
export type FromWorker = { readonly type: "line"; readonly id: string; readonly line: string } | WorkerReply;

/** The value as text, or the reason why it is missing. */
export interface WorkerReply {
  readonly type: "reply";
  readonly id: string;
  readonly value: string;
  readonly error?: string;
}
