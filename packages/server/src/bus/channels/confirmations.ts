import { BridgeError } from "@debug-bridge/protocol";
import { z } from "zod";
import type { Channel } from "./channel.js";

/** How often other hubs are asked, and how long they have to answer. */
export const CONFIRM_MS = 1_000;
/** How often a hub may leave a question unanswered. */
const MAX_TRIES = 5;
/** Channels that fit into one question. */
const MAX_CHANNELS = 5_000;
/** The answer about a channel that the other hub does not have. */
const UNKNOWN = -1;

const countsSchema = z.array(z.tuple([z.string().max(200), z.int().min(0)])).max(MAX_CHANNELS);
const receivedSchema = z.array(z.int().min(UNKNOWN)).max(MAX_CHANNELS);

interface Unconfirmed {
  readonly id: string;
  readonly channel: Channel;
  /** Questions in a row that were not answered. */
  tries: number;
  /** Whether the other hub said that it does not have the channel. */
  isUnknown: boolean;
}

/**
 * Finds channels whose first or last packets were lost: a bus loses messages when servers or connections fail, and only a later
 * packet shows the end that reads that one is missing. As long as packets are unconfirmed, the other hub is asked every second how
 * many have arrived: once for all channels with it. Channels that are idle cost nothing.
 */
export class Confirmations {
  private readonly unconfirmed = new Map<string, Unconfirmed>();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** `ask` sends a question to a hub, which answers with `answerCounts`. */
  constructor(private readonly ask: (hub: string, question: string) => Promise<string>) {}

  add(id: string, channel: Channel): void {
    this.unconfirmed.set(id, { id, channel, tries: 0, isUnknown: false });
    this.schedule();
  }

  /** A hub is gone: nothing is to be learned from it. */
  forget(hub: string): void {
    for (const [id, { channel }] of this.unconfirmed) if (channel.peer === hub) this.unconfirmed.delete(id);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.unconfirmed.clear();
  }

  private schedule(): void {
    if (this.timer || this.isClosed) return;
    this.timer = setTimeout(() => {
      void this.sweep().finally(() => {
        this.timer = undefined;
        if (this.unconfirmed.size > 0) this.schedule();
      });
    }, CONFIRM_MS);
    this.timer.unref();
  }

  private async sweep(): Promise<void> {
    const byHub = new Map<string, Unconfirmed[]>();
    for (const each of this.unconfirmed.values()) {
      const { id, channel } = each;
      if (!channel.isUnconfirmed) this.unconfirmed.delete(id);
      else {
        const ofHub = byHub.get(channel.peer) ?? [];
        byHub.set(channel.peer, ofHub);
        ofHub.push(each);
      }
    }
    const questions: Promise<void>[] = [];
    for (const [hub, all] of byHub)
      for (let at = 0; at < all.length; at += MAX_CHANNELS)
        questions.push(this.queryHub(hub, all.slice(at, at + MAX_CHANNELS)));
    await Promise.all(questions);
  }

  private async queryHub(hub: string, channels: readonly Unconfirmed[]): Promise<void> {
    const counts = channels.map(({ id, channel }) => [id, channel.sent]);
    const received = await this.ask(hub, JSON.stringify(counts)).then(
      (answer) => receivedSchema.parse(JSON.parse(answer)),
      () => undefined,
    );
    for (const [i, each] of channels.entries()) {
      if (this.unconfirmed.get(each.id) !== each) continue;
      if (received === undefined) this.onUnanswered(each);
      else this.onAnswered(each, received[i] ?? UNKNOWN);
    }
  }

  private onUnanswered(each: Unconfirmed): void {
    if (++each.tries < MAX_TRIES) return;
    each.channel.close(1011, `the hub "${each.channel.peer}" does not confirm what was sent to it`);
    this.unconfirmed.delete(each.id);
  }

  private onAnswered(each: Unconfirmed, received: number): void {
    const { id, channel, isUnknown } = each;
    each.tries = 0;
    each.isUnknown = received === UNKNOWN;
    if (!each.isUnknown) channel.confirm(received);
    // The other hub closed it, too. Its last packet may still be on its way when the first answer says so.
    else if (isUnknown)
      channel.drop(`the hub "${channel.peer}" closed the connection, and its reason was lost`);
    if (!channel.isUnconfirmed || (each.isUnknown && !channel.isOpen)) this.unconfirmed.delete(id);
  }
}

/** Answers a hub that asks which of its packets have arrived. */
export function answerCounts(
  question: string,
  from: string,
  find: (id: string) => Channel | undefined,
): string {
  const counts = countsSchema.safeParse(parse(question));
  if (!counts.success) throw new BridgeError("invalid_message", "a hub sent counts that are not valid");
  const received = counts.data.map(([id, sent]) => {
    const channel = find(id);
    return channel?.peer === from ? channel.countReceived(sent) : UNKNOWN;
  });
  return JSON.stringify(received);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
