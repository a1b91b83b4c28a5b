import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_HUB } from "../connection/address.js";
import { parseHost, siteOf } from "./access.js";
import { applyChange, readSettings, SETTINGS_BEFORE_LOAD, type Settings } from "./settings.js";

const stored: Settings = readSettings({ share: "all", access: { level: "site", site: "shop.test" } });
const forAutomation = { hub: DEFAULT_HUB, otherHubs: [], share: "all" } as const;

describe("a change of the settings", () => {
  it("changes only what it names", () => {
    expect(applyChange(stored, { share: "chosen" })).toEqual({ ...stored, share: "chosen" });
    expect(applyChange(stored, { visible: false })).toEqual({ ...stored, visible: false });
    expect(applyChange(stored, { access: { level: "read-only" } })).toEqual({
      ...stored,
      access: { level: "read-only" },
    });
    expect(applyChange(stored, { hub: { relayPort: 5 } })).toEqual({
      ...stored,
      hub: { ...DEFAULT_HUB, relayPort: 5 },
    });
    expect(applyChange(stored, {})).toEqual(stored);
  });

  it("adds a captured site once and removes it", () => {
    const added = applyChange(applyChange(stored, { addSite: "a" }), { addSite: "a" });
    expect(added.sites).toEqual(["a"]);
    expect(applyChange(added, { removeSite: "a" }).sites).toEqual([]);
  });

  it("remembers what a client was allowed until it is taken back", () => {
    const grant = { client: "Playwright 1.65", grant: "cookies" } as const;
    const granted = applyChange(applyChange(stored, { grant }), { grant });
    expect(granted.grants).toEqual({ "Playwright 1.65": ["cookies"] });
    expect(applyChange(granted, { forgetClient: "Playwright 1.65" }).grants).toEqual({});
  });
});

describe("stored settings", () => {
  it("may have any shape", () => {
    expect(readSettings({})).toMatchObject({ hub: DEFAULT_HUB, sites: [], access: { level: "full" } });
    expect(readSettings({ grants: { a: ["cookies", "shell"], b: 1 } }).grants).toEqual({ a: ["cookies"] });
    expect(readSettings({ access: { level: "site", site: "https://Other.test/x" } }).access).toEqual({
      level: "site",
      site: "other.test",
    });
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (any) => void readSettings(any)));
  });

  it("share nothing unless the person, or the config of this copy, wants all tabs", () => {
    expect(readSettings({}).share).toBe("chosen");
    expect(readSettings({}, forAutomation)).toMatchObject({ share: "all", automation: true });
    expect(readSettings({ share: "chosen" }, forAutomation)).toMatchObject({
      share: "chosen",
      automation: false,
    });
    expect(readSettings({ share: "all" }, forAutomation).automation).toBe(false);
    expect(applyChange(readSettings({}, forAutomation), { share: "chosen" }).automation).toBe(false);
  });

  it("allow nothing before they are known", () => {
    expect(SETTINGS_BEFORE_LOAD).toMatchObject({ share: "chosen", access: { level: "read-only" } });
  });
});

describe("a host", () => {
  it("is found in what a person types", () => {
    expect(parseHost(" https://Shop.test/path ")).toBe("shop.test");
    expect(parseHost("shop.test:8080")).toBe("shop.test");
    fc.assert(fc.property(fc.string(), (text) => void parseHost(text)));
  });

  it("is the site of a page, without www", () => {
    expect(siteOf("https://www.shop.test/a")).toBe("shop.test");
    expect(siteOf("file:///etc/passwd")).toBeUndefined();
    expect(siteOf("about:blank")).toBeUndefined();
  });
});
