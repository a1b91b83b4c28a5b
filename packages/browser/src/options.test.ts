import { isLoopbackName } from "@debug-bridge/protocol";
import { describe, expect, test } from "vitest";
import { buildReason } from "./build-mode.js";
import { checkOptions, endpoint, subprotocols } from "./options.js";
import { productionReason } from "./production.js";
import { optionsOfScript } from "./script/options-of-script.js";

describe("options", () => {
  test("[APP-042] url and sessionId are required, and errors explain what is wrong", () => {
    expect(() => checkOptions({ url: "ws://x/debug", sessionId: "s" })).not.toThrow();
    expect(() => checkOptions({ url: "http://x", sessionId: "s" })).toThrow("needs url");
    expect(() => checkOptions({ url: "ws://x", sessionId: "" })).toThrow("needs a sessionId");
    expect(() => checkOptions(undefined as never)).toThrow("needs url");
  });

  test("the address gets missing parameters and keeps the others", () => {
    expect(endpoint("ws://h:1/debug", "a b")).toBe("ws://h:1/debug?role=app&sessionId=a+b");
    expect(endpoint("ws://h/debug?role=app&sessionId=mine&x=1", "other")).toBe(
      "ws://h/debug?role=app&sessionId=mine&x=1",
    );
  });

  test("a bearer token becomes a subprotocol; anything else does not", () => {
    expect(subprotocols({ authorization: "bearer abc_-1" })).toEqual(["debug-bridge.v1", "bearer.abc_-1"]);
    expect(subprotocols({ Authorization: "Basic abc" })).toEqual(["debug-bridge.v1"]);
    expect(subprotocols({ Authorization: "Bearer with space, comma" })).toEqual(["debug-bridge.v1"]);
    expect(subprotocols()).toEqual(["debug-bridge.v1"]);
  });

  test("a script tag is configured by its attributes", () => {
    expect(
      optionsOfScript(
        "https://hub:4000/sdk.js?x",
        { session: "shop", eval: "", console: "false", token: "t", redact: ".a, b" },
        "",
      ),
    ).toEqual({
      url: "wss://hub:4000/debug",
      sessionId: "shop",
      headers: { Authorization: "Bearer t" },
      redact: [".a", "b"],
      enableEval: true,
      enableConsole: false,
    });
    expect(optionsOfScript("http://h/sdk.js", {}, "localhost").sessionId).toBe("localhost");
  });
});

describe("[APP-080] production", () => {
  test.each(["localhost", "127.0.0.1", "127.3.2.1", "[::1]", "app.localhost", ""])(
    "%s is development",
    (hostname) => {
      expect(productionReason(hostname)).toBeUndefined();
      expect(hostname === "" || isLoopbackName(hostname)).toBe(true);
    },
  );
  test("other hosts and production builds are not", () => {
    expect(productionReason("shop.example")).toContain("shop.example");
    expect(productionReason("localhost.evil.com")).toContain("evil");
    expect(buildReason({ nodeEnv: "production" })).toContain("NODE_ENV");
    expect(buildReason({ viteProd: true })).toContain("PROD");
  });
});
