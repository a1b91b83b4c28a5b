import { isLoopbackName } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit, type GateOptions, type Request } from "./gate.js";

const TOKEN = "t".repeat(43);
const options: GateOptions = { token: TOKEN, auth: "token", host: "127.0.0.1", allowOrigins: [] };
const request = (fields: Partial<Request>): Request => ({
  host: "127.0.0.1:4000",
  origin: undefined,
  authorization: undefined,
  protocols: undefined,
  queryToken: TOKEN,
  ...fields,
});

describe("the gate", () => {
  it("admits an agent with the token, and nobody with another", () => {
    expect(() => admit(request({}), "agent", options)).not.toThrow();
    fc.assert(
      fc.property(fc.string(), (queryToken) => {
        fc.pre(queryToken !== TOKEN);
        expect(() => admit(request({ queryToken }), "agent", options)).toThrow("token");
      }),
    );
  });

  it("refuses every host and origin that is not clearly this machine's", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { host, origin, hostname } = new URL(url);
        fc.pre(!isLoopbackName(hostname));
        expect(() => admit(request({ host }), "agent", options)).toThrow("Host");
        expect(() => admit(request({ origin }), "app", options)).toThrow("may not connect");
        expect(() => admit(request({ origin }), "agent", options)).toThrow("may not connect");
      }),
    );
    for (const host of [undefined, "", "127.0.0.1:4000:1", "a b", "[::1", "127.0.0.1:x"]) {
      expect(() => admit(request({ host }), "agent", options)).toThrow("Host");
    }
  });

  it("admits clients that reach it by a name that was allowed, and by no other", () => {
    const named = { ...options, allowHosts: ["hub-1"] };
    for (const host of ["hub-1:4000", "HUB-1", "localhost:4000"])
      expect(() => admit(request({ host }), "agent", named)).not.toThrow();
    for (const host of ["hub-2:4000", "hub-1.evil.example", "xhub-1"])
      expect(() => admit(request({ host }), "agent", named)).toThrow("Host");
  });

  it("reads the token from the header first, then the subprotocol, then the query", () => {
    const wrong = request({ authorization: "Bearer wrong", protocols: `bearer.${TOKEN}`, queryToken: TOKEN });
    expect(() => admit(wrong, "agent", options)).toThrow("wrong");
    expect(() => admit({ ...wrong, authorization: undefined }, "agent", options)).not.toThrow();
  });
});
