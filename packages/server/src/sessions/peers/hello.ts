import type { AppMessage } from "@debug-bridge/protocol";

export type Hello = Extract<AppMessage, { type: "hello" }>;

/** The `hello` of a session in which no app sends one. */
export function helloOf(
  sessionId: string,
  about: Omit<Hello, "type" | "sessionId" | "timestamp" | "origin">,
): Hello {
  return { ...about, type: "hello", sessionId, timestamp: Date.now(), origin: "app" };
}
