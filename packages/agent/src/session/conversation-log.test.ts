import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../types.js";
import { ConversationLog } from "./conversation-log.js";

const userMessage = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

describe("the log of a conversation", () => {
  it("stores each message once while the conversation grows", () => {
    const log = new ConversationLog();
    const messages = [userMessage("a")];
    expect(log.next(messages)).toEqual({ kept: 0, messages: [userMessage("a")] });
    messages.push(userMessage("b"));
    expect(log.next(messages)).toEqual({ kept: 1, messages: [userMessage("b")] });
    // Others that say the same are the same.
    expect(log.next(structuredClone(messages))).toEqual({ kept: 2, messages: [] });
    expect(log.next([userMessage("a")])).toEqual({ kept: 1, messages: [] });
  });

  it("detects a message that was changed in place", () => {
    const log = new ConversationLog();
    const [first, second] = [userMessage("a"), userMessage("b")] as [Message, Message];
    log.next([first, second]);
    Object.assign((second.content as object[])[0] as object, { cache_control: { type: "ephemeral" } });
    expect(log.next([first, second])).toEqual({ kept: 1, messages: [second] });
    (second.content as object[]).push({ type: "text", text: "more" });
    expect(log.next([first, second])).toEqual({ kept: 1, messages: [second] });
    expect(log.next([first, second])).toEqual({ kept: 2, messages: [] });
  });

  it("accepts any value: dates, bytes, cycles and getters that throw", () => {
    const log = new ConversationLog();
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const bytes = new Uint8Array([1, 2, 3]);
    const throws = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const messages = [new Date(0), bytes, loop, throws, null, undefined, () => 1].map((content) => ({
      role: "user",
      content,
    }));
    log.next(messages);
    expect(log.next(messages.slice(0, 2)).kept).toBe(2);
    expect(log.next(messages).kept).toBe(2);
    bytes[1] = 9;
    expect(log.next(messages).kept).toBe(1);
  });

  it("restores every request, for any messages", () => {
    const message = fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(fc.array(message, { maxLength: 5 }), { maxLength: 6 }), (requests) => {
        const log = new ConversationLog();
        let whole: readonly Message[] = [];
        for (const request of requests) {
          const { kept, messages } = log.next(request);
          whole = [...whole.slice(0, kept), ...messages];
          expect(JSON.stringify(whole)).toBe(JSON.stringify(request));
        }
      }),
    );
  });
});
