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
  it("sends events alone while they are few, and a burst as arrays of at most 200, in order", () => {
    const outbox = new Outbox();
    outbox.add(event(0));
    for (let seq = 1; seq <= 450; seq++) outbox.add(event(seq, { batch: true }));
    const frames = outbox.takeFrames().map((frame) => [JSON.parse(frame)].flat() as { n: number }[]);
    expect(frames.map((frame) => frame.length)).toEqual([1, 200, 200, 50]);
    expect(frames.flat().map(({ n }) => n)).toEqual(Array.from({ length: 451 }, (_, i) => i));
  });

  it("closes a batch before it becomes large", () => {
    const outbox = new Outbox();
    for (let seq = 0; seq < 4; seq++)
      outbox.add(event(seq, { batch: true, text: JSON.stringify("ü".repeat(60_000)) }));
    expect(outbox.takeFrames().map((frame) => [JSON.parse(frame)].flat().length)).toEqual([2, 2]);
  });

  it("sends again what was not confirmed, before what came later", () => {
    const outbox = new Outbox();
    for (const seq of [0, 1, 2]) outbox.add(event(seq));
    outbox.takeFrames();
    expect([...outbox.confirm(2)]).toEqual([["d", 1]]);
    outbox.add(event(3));
    outbox.takeBack();
    expect(outbox.takeFrames()).toEqual(['{"n":2}', '{"n":3}']);
  });

  it("confirms events that were dropped together with those around them", () => {
    const outbox = new Outbox();
    outbox.add(event(0));
    outbox.add(event(1, { text: "" }));
    expect(outbox.takeFrames()).toEqual(['{"n":0}']);
    expect([...outbox.confirm(outbox.unconfirmed)]).toEqual([["d", 1]]);
  });

  it("[CON-072] loses logs before errors when too many wait", () => {
    const outbox = new Outbox();
    outbox.add(event(0, { urgent: true }));
    for (let seq = 1; seq <= 6_000; seq++) outbox.add(event(seq));
    expect(outbox.takeLost()).toBe(1_001);
    expect(outbox.takeFrames()[0]).toBe('{"n":0}');
  });
});
