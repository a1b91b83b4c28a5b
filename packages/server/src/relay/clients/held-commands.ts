import { HUB_LIMITS } from "../../bounds/limits.js";
import type { CdpMessage } from "../wire/messages.js";

/** What a message costs besides its parameters. */
const MESSAGE_OVERHEAD = 500;

/** Commands of a client that wait until they can be run: so many of them, and no more. */
export class HeldCommands {
  readonly messages: CdpMessage[] = [];
  private characters = 0;

  constructor(...first: CdpMessage[]) {
    for (const message of first) this.add(message);
  }

  /** Keeps a command; false when too many wait already. */
  add(message: CdpMessage): boolean {
    const { messages, characters } = HUB_LIMITS.cdpHeld;
    if (this.messages.length >= messages || this.characters > characters) return false;
    this.characters += MESSAGE_OVERHEAD + JSON.stringify(message.params).length;
    this.messages.push(message);
    return true;
  }
}
