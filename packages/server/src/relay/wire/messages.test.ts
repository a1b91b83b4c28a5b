import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFailure, readMessage } from "./messages.js";

describe("a client's message", () => {
  it("is read, whatever the order of its members", () => {
    expect(readMessage('{"method":"Page.enable","id":3,"sessionId":"s"}')).toMatchObject({
      id: 3,
      method: "Page.enable",
      params: {},
      sessionId: "s",
    });
  });

  it("is refused with what is wrong with it", () => {
    expect(() => readMessage("{")).toThrow("not valid JSON");
    expect(() => readMessage('{"id":1.5,"method":"A.b"}')).toThrow("id is 1.5");
    expect(() => readMessage('{"id":1,"method":"no"}')).toThrow("Page.enable");
    expect(() => readMessage('{"id":1,"method":"A.b","params":[]}')).toThrow("params of A.b");
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readMessage(text);
        } catch (thrown) {
          expect((thrown as { code?: string }).code).toBe("invalid_message");
        }
      }),
    );
  });

  it("has only its own members, whatever else the frame contains or repeats", () => {
    const frame =
      '{"id":1,"method":"A.b","params":{},"sessionId":"other","tabId":7,"params":{"x":1},"sessionId":"s"}';
    expect(readMessage(frame)).toEqual({ id: 1, method: "A.b", params: { x: 1 }, sessionId: "s" });
  });

  it("that is refused is answered under its id", () => {
    expect(() => readMessage('{"id":7,"method":"no"}')).toThrow(
      expect.objectContaining({ details: { id: 7 } }) as Error,
    );
  });
});

describe("an extension's error", () => {
  it("is Chrome's own, one of ours, or text", () => {
    expect(readFailure('{"code":-32601,"message":"wasn\'t found"}')).toEqual({
      code: -32_601,
      message: "wasn't found",
    });
    expect(readFailure("read_only: no")).toEqual({ code: -32_000, message: "no", data: "read_only" });
    expect(readFailure("{ what")).toEqual({ code: -32_000, message: "{ what" });
  });
});
