import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Channel } from "./channel.js";
import { answerCounts, CONFIRM_MS, Confirmations } from "./confirmations.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two ends of a channel, whose packets arrive at once, unless they are lost. */
class Link {
  readonly questions: string[] = [];
  readonly reasons: string[] = [];
  readonly got: string[] = [];
  losesPackets = false;
  isSilent = false;
  private readonly open = new Map<string, Channel>();
  readonly mine = this.end("b", () => this.theirs);
  readonly theirs = this.end("a", () => this.mine);

  constructor() {
    this.open.set("of a", this.mine);
    this.open.set("of b", this.theirs);
    this.theirs.onMessage = (data) => this.got.push(data.toString());
  }

  private end(peer: string, other: () => Channel): Channel {
    const [own, others] = peer === "b" ? ["of a", "of b"] : ["of b", "of a"];
    const from = peer === "b" ? "a" : "b";
    const confirmations = new Confirmations(async (hub, question) => {
      this.questions.push(question);
      if (this.isSilent) throw new Error("no answer");
      expect(hub).toBe(peer);
      return answerCounts(question, from, () => this.open.get(others));
    });
    const post = (packet: Buffer): void => {
      if (!this.losesPackets) other().receive(packet);
    };
    const onEnded = (): void => void this.open.delete(own);
    const channel = new Channel(peer, post, onEnded, (each) => confirmations.add("id", each));
    channel.onClose = (code, reason) => this.reasons.push(`${from}: ${code} ${reason}`);
    return channel;
  }
}

const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * CONFIRM_MS);

describe("channels ask whether everything has arrived", () => {
  test("once after something was sent; an idle channel asks nothing and has no timer", async () => {
    const link = new Link();
    expect(vi.getTimerCount()).toBe(0);
    for (let i = 0; i < 100; i++) link.mine.send("hello");
    expect(vi.getTimerCount()).toBe(1);
    await seconds(10);
    expect(link.questions).toEqual(['[["id",100]]']);
    expect(vi.getTimerCount()).toBe(0);
    link.mine.send("again");
    await seconds(10);
    expect(link.questions.at(-1)).toBe('[["id",101]]');
    expect([link.questions.length, link.got.length, link.reasons]).toEqual([2, 101, []]);
  });

  test("what was lost, and was followed by nothing, closes both ends", async () => {
    const link = new Link();
    link.losesPackets = true;
    link.mine.send("lost");
    link.losesPackets = false;
    await seconds(3);
    const reason = "1011 messages between the hubs were lost";
    expect(link.reasons.sort()).toEqual([`a: ${reason}`, `b: ${reason}`]);
    await seconds(10);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a packet that is only late closes nothing", async () => {
    const link = new Link();
    const receive = link.theirs.receive.bind(link.theirs);
    link.theirs.receive = (packet) => void setTimeout(() => receive(packet), 1.5 * CONFIRM_MS);
    link.mine.send("late");
    await seconds(10);
    expect([link.got, link.reasons]).toEqual([["late"], []]);
    expect(link.mine.isUnconfirmed).toBe(false);
  });

  test("an end that was lost closes the other end", async () => {
    const link = new Link();
    link.losesPackets = true;
    link.mine.close(1000, "done");
    link.losesPackets = false;
    await seconds(10);
    expect(link.reasons).toEqual(["a: 1000 done", "b: 1011 messages between the hubs were lost"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a channel that the other hub no longer has is dropped", async () => {
    const link = new Link();
    link.theirs.drop("forgotten");
    link.mine.send("hello?");
    await seconds(10);
    expect(link.reasons.at(-1)).toBe('a: 1012 the hub "b" closed the connection, and its reason was lost');
  });

  test("a hub that never answers loses its channels; one that answers again keeps them", async () => {
    const link = new Link();
    link.isSilent = true;
    link.mine.send("hello");
    await seconds(4);
    link.isSilent = false;
    await seconds(4);
    expect(link.reasons).toEqual([]);
    link.isSilent = true;
    link.mine.send("again");
    await seconds(10);
    expect(link.reasons.sort()).toEqual([
      'a: 1011 the hub "b" does not confirm what was sent to it',
      'b: 1011 the hub "b" does not confirm what was sent to it',
    ]);
  });
});

test("counts that are not valid are refused, and channels of other hubs are not notified", () => {
  expect(() => answerCounts("no", "a", () => undefined)).toThrow(/not valid/);
  const channel = new Channel("b", () => {});
  expect(answerCounts('[["id",1]]', "a", () => channel)).toBe("[-1]");
  expect(answerCounts('[["id",1]]', "b", () => channel)).toBe("[0]");
});
