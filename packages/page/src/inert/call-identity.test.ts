import { expect, test } from "vitest";
import { CallIdentity, currentCallId, eventCallId } from "./call-identity.js";

test("a call has its id only while it is passed through", () => {
  const world = {};
  const identity = new CallIdentity(world, "page-1");
  const first = identity.nextCall();
  expect(first).toBe("page-1:1");
  expect(currentCallId(world)).toBeUndefined();
  identity.during(first, () => {
    expect(currentCallId(world)).toBe("page-1:1");
    identity.during(identity.nextCall(), () => expect(currentCallId(world)).toBe("page-1:2"));
    expect(currentCallId(world)).toBe("page-1:1");
  });
  expect(() =>
    identity.during(first, () => {
      throw new Error("x");
    }),
  ).toThrow("x");
  expect(currentCallId(world)).toBeUndefined();
  expect(Object.keys(world)).toEqual([]);
});

test("both observers give an event the same id, whichever comes first", () => {
  const world = {};
  const identity = new CallIdentity(world, "page-1");
  const [first, second] = [{}, {}];
  expect(eventCallId(world, first)).toBe(identity.ofEvent(first));
  expect(identity.ofEvent(second)).toBe(eventCallId(world, second));
  expect(identity.ofEvent(first)).not.toBe(identity.ofEvent(second));
});

test("without the SDK, and with a forged one, nothing throws and no code of the page runs", () => {
  const SHARED = Symbol.for("debug-bridge.identity");
  let ran = 0;
  const trap = (): never => {
    ran++;
    throw new Error("called");
  };
  const forged: object[] = [
    {},
    { [SHARED]: 5 },
    Object.defineProperty({}, SHARED, { get: trap }),
    { [SHARED]: Object.defineProperties({}, { callId: { get: trap }, instanceId: { get: trap } }) },
    { [SHARED]: { instanceId: "x", events: { get: trap, set: trap }, callId: "y".repeat(1_000) } },
  ];
  for (const world of forged) {
    expect(currentCallId(world)).toBeUndefined();
    expect(eventCallId(world, {})).toBeUndefined();
  }
  expect(ran).toBe(0);
});
