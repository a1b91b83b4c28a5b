import type { Command } from "@debug-bridge/protocol";
import type { RawResult } from "../sessions/peers/app-peer.js";

export interface CommandEnvelope {
  readonly command: Command;
  /** The JSON that came in. */
  readonly text: string;
}

export interface AddressedCommand {
  readonly id: string;
  readonly text: string;
  /** Puts the id that the sender chose back into the result. */
  restore(result: RawResult): RawResult;
}

const unchanged = (result: RawResult): RawResult => result;

/**
 * Makes sure that a command has an id that no other waiting command has. Nearly always the text stays as it came; a
 * command without an id gets one spliced in. Only one whose id another agent is using is serialised again.
 */
export function addressCommand(
  { command, text }: CommandEnvelope,
  isTaken: (id: string) => boolean,
  newId: () => string,
): AddressedCommand {
  const own = command.requestId;
  if (own !== undefined && !isTaken(own)) return { id: own, text, restore: unchanged };
  let id = newId();
  while (isTaken(id)) id = newId();
  if (own === undefined) {
    return {
      id,
      text: `${text.slice(0, text.lastIndexOf("}"))},"requestId":${JSON.stringify(id)}}`,
      restore: unchanged,
    };
  }
  return {
    id,
    text: JSON.stringify({ ...command, requestId: id }),
    restore({ message }) {
      const restored = { ...message, requestId: own };
      return { message: restored, text: JSON.stringify(restored) };
    },
  };
}
