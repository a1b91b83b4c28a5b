import fc from "fast-check";
import { expect, it } from "vitest";
import { DEFAULT_HUB } from "./address.js";
import { parseConfig } from "./config.js";

it("reads what it can of a configuration, and shares only chosen tabs unless it says otherwise", () => {
  const pairingKey = "ab".repeat(32);
  expect(parseConfig({ hub: { relayPort: 7 }, pairingKey, share: "all" })).toEqual({
    hub: { ...DEFAULT_HUB, relayPort: 7 },
    pairingKey,
    share: "all",
  });
  expect(parseConfig({ pairingKey: "short", share: "everything" })).toEqual({
    hub: DEFAULT_HUB,
    share: "chosen",
  });
  fc.assert(fc.property(fc.anything(), (value) => void parseConfig(value)));
});
