import { type BackoffOptions, backoffDelay } from "@debug-bridge/protocol";

/** When to try again after a connection was lost. */
export interface RetryPolicy extends BackoffOptions {
  /** Retries after a connection was lost. */
  readonly maxRetries: number;
  /** Retries before the first success, when there may be no hub at all. */
  readonly maxFirstRetries: number;
  /** Replaces the randomness of the delay. */
  readonly random?: () => number;
}

/** A program that fails the proof is asked less and less often. */
const UNPAIRED_BACKOFF: BackoffOptions = { firstMs: 1_000, maxMs: 60_000 };

interface Shared {
  /** Retries since the last success. */
  readonly retries: number;
  /** How many retries there are before the connection counts as failed. */
  readonly maxRetries: number;
  readonly lastError?: string;
}

/** The state of one connection with the hub. */
export type ConnectionState = Shared &
  (
    | { readonly status: "idle" | "connecting" | "connected" }
    /** The last attempt failed; the next one is scheduled. */
    | { readonly status: "waiting"; readonly retryAt: number }
    /** All attempts failed. Only a person, a tab or an alarm starts another one. */
    | { readonly status: "failed" }
    /** The hub speaks another version; nothing is sent until one side is updated. */
    | { readonly status: "incompatible"; readonly advice: string }
    /** There is no pairing key, or the other end does not know it. Nothing was sent but the handshake. */
    | { readonly status: "unpaired"; readonly advice: string; readonly retryAt: number }
  );

export type ConnectionEvent =
  | { readonly kind: "open" }
  | { readonly kind: "ready" }
  | { readonly kind: "lost"; readonly reason: string; readonly now: number }
  | { readonly kind: "incompatible"; readonly advice: string }
  | { readonly kind: "unpaired"; readonly advice: string; readonly now: number }
  /** No more attempts, because an earlier worker already made them. */
  | { readonly kind: "give-up"; readonly reason: string }
  /** A person asked to start over, or the address changed. */
  | { readonly kind: "reset" };

export function initialState(policy: RetryPolicy): ConnectionState {
  return { status: "idle", retries: 0, maxRetries: policy.maxFirstRetries };
}

/** The next state of a connection. Pure, except for the randomness of the policy. */
export function nextState(
  state: ConnectionState,
  event: ConnectionEvent,
  policy: RetryPolicy,
): ConnectionState {
  const { retries, maxRetries, lastError } = state;
  const shared = { retries, maxRetries, ...(lastError === undefined ? {} : { lastError }) };
  switch (event.kind) {
    case "open":
      return { ...shared, status: "connecting" };
    case "ready":
      return { status: "connected", retries: 0, maxRetries: policy.maxRetries };
    case "lost":
      if (retries >= maxRetries) return { ...shared, status: "failed", lastError: event.reason };
      return {
        maxRetries,
        status: "waiting",
        retries: retries + 1,
        retryAt: event.now + backoffDelay(retries, policy, policy.random),
        lastError: event.reason,
      };
    case "incompatible":
      return { ...shared, status: "incompatible", advice: event.advice };
    case "unpaired":
      return {
        maxRetries,
        status: "unpaired",
        retries: retries + 1,
        advice: event.advice,
        retryAt: event.now + backoffDelay(retries, UNPAIRED_BACKOFF, policy.random),
        lastError: event.advice,
      };
    case "give-up":
      return { status: "failed", retries: maxRetries, maxRetries, lastError: event.reason };
    case "reset":
      return { status: "idle", retries: 0, maxRetries: policy.maxRetries };
  }
}
