import { describe, expect, test } from "vitest";
import {
  ATTACHED,
  beginAttach,
  completeAttach,
  detach,
  failAttach,
  LAZY,
  loseDebugger,
  type SessionState,
} from "./session-state.js";

const message = (id: number) => ({ id, method: "Page.reload", params: {}, sessionId: "s" });
const event = { method: "Page.loadEventFired", text: "{}", params: undefined };
const attaching = (): SessionState => beginAttach(LAZY, message(1), [event]);

describe("the state of a client's session", () => {
  test("a lazy session attaches with the command that needed the page and the events it missed", () => {
    expect(attaching()).toMatchObject({
      name: "attaching",
      queue: { messages: [message(1)] },
      held: [event],
    });
  });

  test("an attached session gives back the commands and events that waited", () => {
    expect(completeAttach(attaching())).toEqual({ state: ATTACHED, queue: [message(1)], held: [event] });
  });

  test("a failed attach returns the commands, drops the events, and leaves the session lazy", () => {
    expect(failAttach(attaching())).toEqual({ state: LAZY, queue: [message(1)], held: [] });
  });

  test("a debugger that leaves makes an attached session lazy and changes no other", () => {
    expect(loseDebugger(ATTACHED)).toEqual(LAZY);
    expect(loseDebugger(LAZY)).toEqual(LAZY);
    const state = attaching();
    expect(loseDebugger(state)).toBe(state);
    expect(loseDebugger(detach(LAZY))).toEqual({ name: "detached" });
  });

  test("every state can detach", () => {
    for (const state of [LAZY, ATTACHED, attaching(), detach(LAZY)])
      expect(detach(state)).toEqual({ name: "detached" });
  });

  test("impossible transitions throw", () => {
    const detached = detach(LAZY);
    for (const state of [ATTACHED, detached, attaching()])
      expect(() => beginAttach(state, message(2), [])).toThrow(state.name);
    for (const state of [LAZY, ATTACHED, detached]) {
      expect(() => completeAttach(state)).toThrow(state.name);
      expect(() => failAttach(state)).toThrow(state.name);
    }
  });
});
