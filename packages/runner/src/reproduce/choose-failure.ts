import { BridgeError } from "@debug-bridge/protocol";
import type { Failure, Recording } from "./recording/types.js";

export interface FailureChoice {
  /** A part of the message of the error. */
  readonly error?: string | undefined;
  /** A text that the page shows at the end and should not. */
  readonly shows?: string | undefined;
}

/** What is to be reproduced: what was named, else the last uncaught error, else the last `console.error`. */
export function chooseFailure({ failures, ends }: Recording, { error, shows }: FailureChoice): Failure {
  if (shows !== undefined) return { kind: "text", message: shows, at: ends };
  const named = error === undefined ? failures : failures.filter(({ message }) => message.includes(error));
  const chosen = named.findLast(({ kind }) => kind === "error") ?? named.at(-1);
  if (chosen) return chosen;
  if (failures.length === 0)
    throw new BridgeError(
      "target_not_found",
      "the recording has no error. Name what is wrong on the page at its end with --shows TEXT",
    );
  const messages = [...new Set(failures.map(({ message }) => JSON.stringify(message)))].slice(0, 10);
  throw new BridgeError(
    "target_not_found",
    `no error of the recording contains ${JSON.stringify(error)}; it has ${messages.join(", ")}`,
  );
}
