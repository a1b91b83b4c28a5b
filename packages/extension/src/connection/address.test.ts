import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  consoleUrl,
  DEFAULT_HUB,
  otherHubsText,
  parseAddress,
  parseOtherHubs,
  portProblem,
  readHubAddress,
  readOtherHubs,
  relayUrl,
} from "./address.js";

describe("the hub's address", () => {
  it("has one host and a port for each wire", () => {
    expect(consoleUrl(DEFAULT_HUB)).toBe("ws://127.0.0.1:9223");
    expect(relayUrl(DEFAULT_HUB)).toBe("ws://127.0.0.1:19222");
    expect(relayUrl({ ...DEFAULT_HUB, address: "wss://hub.test", relayPort: 7 })).toBe("wss://hub.test:7");
  });

  it("accepts a host with or without a scheme", () => {
    expect(parseAddress(" 127.0.0.1 ").address).toBe("ws://127.0.0.1");
    expect(parseAddress("localhost").address).toBe("ws://127.0.0.1");
    expect(parseAddress("wss://hub.test/").address).toBe("wss://hub.test");
    expect(parseAddress("[::1]").address).toBe("ws://[::1]");
  });

  it("explains what is wrong with anything else", () => {
    expect(parseAddress("http://hub.test").problem).toContain("starts with ws://");
    expect(parseAddress("127.0.0.1:9223").problem).toContain("contains port 9223");
    expect(parseAddress("").problem).toContain("is not an address");
    expect(portProblem("Console port", 0)).toBe("Console port must be a number from 1 to 65535");
    expect(portProblem("Console port", 9223)).toBeUndefined();
  });

  it("has others to go on with, each with its ports", () => {
    const { hubs = [] } = parseOtherHubs(" localhost:9224/19223, wss://hub.test:1/2 ");
    expect(hubs).toEqual([
      { address: "ws://127.0.0.1", consolePort: 9224, relayPort: 19_223 },
      { address: "wss://hub.test", consolePort: 1, relayPort: 2 },
    ]);
    expect(parseOtherHubs(otherHubsText(hubs)).hubs).toEqual(hubs);
    expect(parseOtherHubs("").hubs).toEqual([]);
    expect(parseOtherHubs("127.0.0.1:9224").problem).toContain("HOST:CONSOLE_PORT/RELAY_PORT");
    expect(parseOtherHubs("a:1/70000").problem).toContain('"a:1/70000"');
    fc.assert(fc.property(fc.anything(), (stored) => void readOtherHubs(stored)));
  });

  it("falls back part by part when stored settings have another shape", () => {
    expect(readHubAddress({ relayPort: 5, consolePort: "x" })).toEqual({ ...DEFAULT_HUB, relayPort: 5 });
    fc.assert(fc.property(fc.anything(), (stored) => void readHubAddress(stored)));
  });
});
