import type { CdpMessage } from "../wire/messages.js";

const MAX_MESSAGES = 1_000;
const MAX_CHARACTERS = 4_000_000;
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
    if (this.messages.length >= MAX_MESSAGES || this.characters > MAX_CHARACTERS) return false;
    this.characters += MESSAGE_OVERHEAD + JSON.stringify(message.params).length;
    this.messages.push(message);
    return true;
  }
}
