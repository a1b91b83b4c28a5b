import { describe, expect, it } from "vitest";
import { Outbox } from "./outbox.js";

const event = (seq: number, extra: { urgent?: boolean; batch?: boolean; text?: string } = {}) => ({
  document: "d",
  seq,
  urgent: false,
  batch: false,
  text: `{"n":${seq}}`,
  ...extra,
});

describe("Outbox", () => {
  it("sends slow events alone and a burst as arrays of at most 200, in order", () => {
    const outbox = new Outbox();
    outbox.add(event(0));
    for (let seq = 1; seq <= 450; seq++) outbox.add(event(seq, { batch: true }));
    const frames = outbox.drainFrames().map((frame) => [JSON.parse(frame)].flat() as { n: number }[]);
    expect(frames.map((frame) => frame.length)).toEqual([1, 200, 200, 50]);
    expect(frames.flat().map(({ n }) => n)).toEqual(Array.from({ length: 451 }, (_, i) => i));
  });

  it("starts another batch before one becomes large", () => {
    const outbox = new Outbox();
    for (let seq = 0; seq < 4; seq++)
      outbox.add(event(seq, { batch: true, text: JSON.stringify("ü".repeat(60_000)) }));
    expect(outbox.drainFrames().map((frame) => [JSON.parse(frame)].flat().length)).toEqual([2, 2]);
  });

  it("sends unconfirmed events again, before newer ones", () => {
    const outbox = new Outbox();
    for (const seq of [0, 1, 2]) outbox.add(event(seq));
    outbox.drainFrames();
    expect([...outbox.confirm(2)]).toEqual([["d", 1]]);
    outbox.add(event(3));
    outbox.resend();
    expect(outbox.drainFrames()).toEqual(['{"n":2}', '{"n":3}']);
  });

  it("confirms dropped events together with their neighbours", () => {
    const outbox = new Outbox();
    outbox.add(event(0));
    outbox.add(event(1, { text: "" }));
    expect(outbox.drainFrames()).toEqual(['{"n":0}']);
    expect(outbox.unconfirmed).toBe(2);
    expect([...outbox.confirm(2)]).toEqual([["d", 1]]);
    expect(outbox.unconfirmed).toBeUndefined();
  });

  it("[CON-072] drops logs before errors when it is full", () => {
    const outbox = new Outbox();
    outbox.add(event(0, { urgent: true }));
    for (let seq = 1; seq <= 6_000; seq++) outbox.add(event(seq));
    expect(outbox.drainDropped()).toBe(1_001);
    expect(outbox.drainFrames()[0]).toBe('{"n":0}');
  });
});
