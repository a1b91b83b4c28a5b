import { type CdpAccess, cdpMethodClasses, type Grant, judgeCdp } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { connected } from "../integration/relay/connected.js";
import { tab } from "../integration/relay/fake-extension.js";
import { METHODS, UNKNOWN_METHODS } from "./support/methods.js";

const FULL: CdpAccess = { level: "full", grants: "all" };
const CHOSEN: CdpAccess = { level: "full", grants: new Set<Grant>() };
const READ_ONLY: CdpAccess = { level: "read-only", grants: "all", code: "placed" };
const LOCKED: CdpAccess = { level: "site", site: "shop.test", grants: new Set<Grant>() };

const ofClass = (...names: string[]): string[] =>
  METHODS.filter((method) => names.includes(cdpMethodClasses().get(method) as string)).sort();
const allowed = (access: CdpAccess, params: object = {}): string[] =>
  METHODS.filter((method) => judgeCdp(method, { ...params }, access).allowed).sort();

/** Methods that do not look, and that read-only lets pass in a form that changes nothing, whatever their parameters. */
const HARMLESS_FORMS = [
  "Browser.setDownloadBehavior",
  "Emulation.setEmulatedMedia",
  "Emulation.setFocusEmulationEnabled",
  "Page.setFontFamilies",
  "Runtime.callFunctionOn",
  "Runtime.evaluate",
];

describe("V5, V6, V19: every CDP method under every access", () => {
  it("has one class in the table", () => {
    expect(METHODS.length).toBeGreaterThan(600);
    expect(METHODS.filter((method) => !cdpMethodClasses().has(method))).toEqual([]);
  });

  it("full: all but those that no client may use", () => {
    expect(allowed(FULL)).toEqual(ofClass("look", "act", "profile"));
  });

  it("chosen tabs: what stays in the tab; the rest of the profile needs a grant", () => {
    expect(allowed(CHOSEN)).toEqual([...ofClass("look", "act"), "Browser.setDownloadBehavior"].sort());
    expect(judgeCdp("Browser.setDownloadBehavior", { downloadPath: "/tmp/x" }, CHOSEN)).toEqual({
      allowed: false,
      reason: "grant_needed",
      grant: "downloads",
    });
    for (const method of ofClass("profile")) {
      const verdict = judgeCdp(method, { downloadPath: "/tmp/x" }, CHOSEN);
      expect(verdict, method).toMatchObject({ allowed: false, reason: "grant_needed" });
      const { grant } = verdict as { grant: Grant };
      const granted: CdpAccess = { ...CHOSEN, grants: new Set([grant]) };
      expect(judgeCdp(method, { downloadPath: "/tmp/x" }, granted), method).toEqual({ allowed: true });
    }
  });

  it("read-only: what looks, and what clients set up in a form that changes nothing", () => {
    expect(allowed(READ_ONLY)).toEqual([...ofClass("look"), ...HARMLESS_FORMS].sort());
  });

  it("locked to a site: no other site's data, no method whose reach is the browser", () => {
    const passed = allowed(LOCKED);
    const beyond = ofClass("profile", "never").filter((method) => passed.includes(method));
    // Without parameters they concern the site itself, or need no more than events.
    expect(beyond).toEqual(["Browser.setDownloadBehavior", "Network.getCookies"]);
    const bank = {
      url: "https://bank.test/",
      urls: ["https://bank.test/"],
      origin: "https://bank.test",
      securityOrigin: "https://bank.test",
      storageKey: "https://bank.test/",
      domain: "bank.test",
      cookies: [{ name: "a", value: "b", domain: "bank.test" }],
      downloadPath: "/tmp/x",
      source: "document.title = 1",
      responseHeaders: [{ name: "Set-Cookie", value: "a=b" }],
    };
    const elsewhere = allowed(LOCKED, bank);
    expect(ofClass("profile", "never").filter((method) => elsewhere.includes(method))).toEqual([]);
    for (const method of [
      "Page.navigate",
      "Target.createTarget",
      "Fetch.continueRequest",
      "Fetch.fulfillRequest",
      "Fetch.continueResponse",
      "Page.addScriptToEvaluateOnNewDocument",
    ])
      expect(elsewhere, method).not.toContain(method);
    const shop = {
      url: "https://www.shop.test/a",
      origin: "https://shop.test",
      securityOrigin: "https://shop.test",
    };
    const inside = allowed(LOCKED, shop);
    for (const method of [
      "Page.navigate",
      "Target.createTarget",
      "Network.setCookie",
      "IndexedDB.requestDatabaseNames",
    ])
      expect(inside, method).toContain(method);
  });

  it("a host that only looks like the site is another site", () => {
    for (const url of [
      "https://notshop.test/",
      "https://shop.test.evil.test/",
      "https://shop.test@evil.test/",
      "file:///shop.test",
      "javascript://shop.test/%0aalert(1)",
      "https://evil.test/#shop.test",
      "shop.test",
    ])
      expect(judgeCdp("Page.navigate", { url }, LOCKED), url).toMatchObject({ reason: "site_lock" });
  });

  it("the hub's own page engine can look everywhere, and act nowhere that its clients may not", () => {
    for (const access of [READ_ONLY, LOCKED]) {
      const own: CdpAccess = { ...access, code: "own" };
      expect(judgeCdp("Page.addScriptToEvaluateOnNewDocument", { source: "engine()" }, own)).toEqual({
        allowed: true,
      });
      expect(judgeCdp("Page.navigate", { url: "https://bank.test/" }, own).allowed).toBe(false);
      expect(judgeCdp("Storage.getCookies", {}, own).allowed).toBe(false);
    }
    expect(judgeCdp("Input.dispatchMouseEvent", {}, { ...READ_ONLY, code: "own" }).allowed).toBe(false);
  });

  it("an unknown method passes under full access only", () => {
    for (const method of UNKNOWN_METHODS) {
      expect(judgeCdp(method, {}, FULL), method).toEqual({ allowed: true });
      expect(judgeCdp(method, {}, READ_ONLY), method).toMatchObject({ reason: "read_only" });
      expect(judgeCdp(method, {}, LOCKED), method).toMatchObject({ reason: "site_lock" });
    }
  });
});

describe("V4, V19: a hub", () => {
  it("with --read-only sends only what the table allows", async () => {
    const { client, extension } = await connected([tab(1)], { readOnly: true });
    await client.attachAll();
    const page = client.session("T1");
    for (const method of [...METHODS, ...UNKNOWN_METHODS.slice(0, 3)]) {
      const verdict = judgeCdp(method, {}, READ_ONLY);
      const { error } = await client.ask(method, {}, page);
      if (verdict.allowed) expect(error?.data, method).not.toBe("read_only");
      else expect(["read_only", "not_supported"], method).toContain(error?.data);
      if (!verdict.allowed) expect(extension.cdp(), method).not.toContain(method);
    }
    const other = extension.received.map(({ method }) => method);
    for (const method of [
      "closeTab",
      "createTab",
      "activateTab",
      "setPermissions",
      "resetPermissions",
      "cancelDownload",
    ])
      expect(other).not.toContain(method);
    expect(extension.invalid).toEqual([]);
  });

  it("sends nothing beyond the site to a locked tab, whatever the extension would say", async () => {
    const { client, extension } = await connected([tab(1, { access: { level: "site", site: "shop.test" } })]);
    await client.attachAll();
    const page = client.session("T1");
    for (const method of [...METHODS, ...UNKNOWN_METHODS]) {
      if (/^(Target|Browser)\./.test(method)) continue;
      const verdict = judgeCdp(method, {}, { ...LOCKED, grants: "all" });
      const { error } = await client.ask(method, {}, page);
      if (verdict.allowed) expect(error?.data, method).not.toBe("forbidden_origin");
      else {
        expect(["forbidden_origin", "not_supported"], method).toContain(error?.data);
        expect(extension.cdp(), method).not.toContain(method);
      }
    }
  });

  it("without it sends all but what no client may use", async () => {
    const { client, extension } = await connected([tab(1)]);
    await client.attachAll();
    const page = client.session("T1");
    for (const method of METHODS) {
      if (/^(Target|Browser)\./.test(method)) continue;
      const { error } = await client.ask(method, {}, page);
      const isNever = cdpMethodClasses().get(method) === "never";
      if (isNever) expect(error?.data, method).toBe("not_supported");
      expect(extension.cdp().includes(method) && isNever, method).toBe(false);
    }
  });
});
