import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFromExtension } from "./read.js";

describe("a message of the extension", () => {
  it("is recognised by how it begins, and its body is not parsed", () => {
    expect(readFromExtension('{"id":7,"result":{"a":[1]}}')).toEqual({
      kind: "reply",
      id: 7,
      ok: true,
      body: '{"a":[1]}',
    });
    const event =
      '{"method":"cdpEvent","params":{"tabId":4,"childSessionId":"S","method":"Page.x","params":{"b":{}}}}';
    expect(readFromExtension(event)).toEqual({
      kind: "cdp",
      tabId: 4,
      child: "S",
      method: "Page.x",
      params: '{"b":{}}',
    });
  });

  it("means the same however it is written", () => {
    const params = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.nat(),
        fc.option(fc.constantFrom("S1", "A-b"), { nil: undefined }),
        params,
        (tabId, child, body) => {
          const inner = {
            tabId,
            ...(child ? { childSessionId: child } : {}),
            method: "Page.x",
            params: body,
          };
          const fast = readFromExtension(JSON.stringify({ method: "cdpEvent", params: inner }));
          const slow = readFromExtension(
            JSON.stringify({ params: { ...inner, method: "Page.x" }, method: "cdpEvent" }),
          );
          expect(fast).toMatchObject({ kind: "cdp", tabId, method: "Page.x" });
          expect({ ...slow, params: "" }).toEqual({ ...fast, params: "" });
          expect(JSON.parse((fast as { params: string }).params)).toEqual(JSON.parse(JSON.stringify(body)));
        },
      ),
    );
  });

  it("is refused, and never forwarded, when it is something else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readFromExtension(text);
        } catch (thrown) {
          expect((thrown as { code?: string }).code).toMatch(/invalid_message|unknown_type|too_large/);
        }
      }),
    );
  });
});
