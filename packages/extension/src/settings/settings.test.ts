import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_HUB } from "../connection/address.js";
import { parseHost } from "./access.js";
import { applyChange, readSettings, SETTINGS_BEFORE_LOAD, type Settings } from "./settings.js";

const stored: Settings = readSettings({ access: { mode: "automatic", readOnly: true, site: "shop.test" } });

describe("a change of the settings", () => {
  it("changes only what it names", () => {
    expect(applyChange(stored, { mode: "manual" }).access).toEqual({ ...stored.access, mode: "manual" });
    expect(applyChange(stored, { visible: false }).access).toEqual({ ...stored.access, visible: false });
    expect(applyChange(stored, { readOnly: false }).access).toEqual({ ...stored.access, readOnly: false });
    expect(applyChange(stored, { hub: { relayPort: 5 } })).toEqual({
      ...stored,
      hub: { ...DEFAULT_HUB, relayPort: 5 },
    });
    expect(applyChange(stored, {})).toEqual(stored);
  });

  it("sets and removes the lock to a site", () => {
    expect(applyChange(stored, { site: "https://Other.test/x" }).access.site).toBe("other.test");
    expect(applyChange(stored, { site: " " }).access).not.toHaveProperty("site");
    expect(applyChange(stored, { site: "http://" }).access.site).toBe("shop.test");
  });

  it("adds a captured site once and removes it", () => {
    const added = applyChange(applyChange(stored, { addSite: "a" }), { addSite: "a" });
    expect(added.sites).toEqual(["a"]);
    expect(applyChange(added, { removeSite: "a" }).sites).toEqual([]);
  });

  it("accepts stored settings of any shape", () => {
    expect(readSettings({})).toMatchObject({ hub: DEFAULT_HUB, sites: [] });
    expect(readSettings({}, { ...DEFAULT_HUB, consolePort: 7 }).hub.consolePort).toBe(7);
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (any) => void readSettings(any)));
  });

  it("allows nothing before the stored settings are known", () => {
    expect(SETTINGS_BEFORE_LOAD.access).toMatchObject({ mode: "manual", readOnly: true });
  });

  it("finds the host in what a person types", () => {
    expect(parseHost(" https://Shop.test/path ")).toBe("shop.test");
    expect(parseHost("shop.test:8080")).toBe("shop.test");
    fc.assert(fc.property(fc.string(), (text) => void parseHost(text)));
  });
});
