import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paramsText, readFailure, readMessage } from "./messages.js";

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

  it("keeps its parameters to the letter, cut out of the text when they are long", () => {
    const long = "x".repeat(20_000);
    const parts = fc.record({ id: fc.nat(), sessionId: fc.constantFrom("", "c1.2"), extra: fc.jsonValue() });
    fc.assert(
      fc.property(parts, ({ id, sessionId, extra }) => {
        const params = { long, extra };
        const session = sessionId === "" ? {} : { sessionId };
        for (const message of [
          { id, method: "A.b", params, ...session },
          { method: "A.b", params, id, ...session },
          { ...session, params, id, method: "A.b" },
        ]) {
          const text = JSON.stringify(message);
          expect(JSON.parse(paramsText(readMessage(text)))).toEqual(JSON.parse(JSON.stringify(params)));
        }
      }),
      { numRuns: 30 },
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
