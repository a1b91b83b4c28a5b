/** The descriptors of the child process: the first carries these messages, the second the messages of CDP. */
export const CONTROL_FD = 3;
export const CDP_FD = 4;

/** What the child process is asked to do: connect Playwright to the Chrome behind its CDP pipe, or run code in it. */
export type ChildRequest = { readonly type: "open" } | { readonly type: "run"; readonly code: string };

/** To the child process. Each message gets one reply with its id. */
export type ToChild = { readonly id: string } & ChildRequest;

/** From the child process. */
export type FromChild =
  | { readonly type: "line"; readonly id: string; readonly line: string }
  | { readonly type: "failed"; readonly error: string }
  | ChildReply;

/** The value as text, or the reason why it is missing. */
export interface ChildReply {
  readonly type: "reply";
  readonly id: string;
  readonly value: string;
  readonly error?: string;
}

/** Reads a message of the child process. The code in it can write to the pipe too, so nothing is taken as given. */
export function readFromChild(text: string): FromChild | undefined {
  let message: Record<string, unknown>;
  try {
    message = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { type, id, line, value, error } = message;
  if (type === "failed" && typeof error === "string") return { type, error };
  if (typeof id !== "string") return undefined;
  if (type === "line" && typeof line === "string") return { type, id, line };
  if (type !== "reply" || typeof value !== "string") return undefined;
  return { type, id, value, ...(typeof error === "string" ? { error } : {}) };
}
