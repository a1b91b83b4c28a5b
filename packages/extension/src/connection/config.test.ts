import fc from "fast-check";
import { expect, it } from "vitest";
import { DEFAULT_HUB } from "./address.js";
import { parseConfig } from "./config.js";

it("reads what it can of a configuration, and shares only chosen tabs unless it says otherwise", () => {
  const pairingKey = "ab".repeat(32);
  expect(parseConfig({ hub: { relayPort: 7 }, pairingKey, share: "all" })).toEqual({
    hub: { ...DEFAULT_HUB, relayPort: 7 },
    otherHubs: [],
    pairingKey,
    share: "all",
  });
  expect(parseConfig({ pairingKey: "short", share: "everything" })).toEqual({
    hub: DEFAULT_HUB,
    otherHubs: [],
    share: "chosen",
  });
  const others = [{ address: "localhost", consolePort: 1, relayPort: 2 }, { address: "x" }, 3];
  expect(parseConfig({ otherHubs: others }).otherHubs).toEqual([
    { address: "ws://127.0.0.1", consolePort: 1, relayPort: 2 },
  ]);
  fc.assert(fc.property(fc.anything(), (value) => void parseConfig(value)));
});
