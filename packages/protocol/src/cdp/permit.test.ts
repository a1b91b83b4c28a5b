import { describe, expect, it } from "vitest";
import type { CdpAccess } from "./judge.js";
import { forbiddenUrl, permitCommand } from "./permit.js";
import { restriction } from "./restricted.js";

const none = new Set<never>();
const full: CdpAccess = { level: "full", grants: none };
const locked: CdpAccess = { level: "site", site: "shop.test", grants: none };
const readOnly: CdpAccess = { level: "read-only", grants: none };

describe("pages that nobody may debug", () => {
  it("are refused with the kind of page", () => {
    expect(restriction("chrome://settings/")).toContain("the browser itself");
    expect(restriction("https://chromewebstore.google.com/detail/x")).toContain("Web Store");
    expect(restriction("chrome-extension://abc/page.html")).toContain("an extension");
    for (const url of [
      "",
      "about:blank",
      "http://a/",
      "https://a/",
      "file:///x",
      "data:text/html,x",
      "blob:http://a/1",
    ])
      expect(restriction(url)).toBeUndefined();
    expect(permitCommand("Page.navigate", { url: "chrome://settings/" }, full)).toHaveProperty(
      "error",
      expect.stringContaining("a page of the browser itself"),
    );
  });
});

describe("a lock to a site", () => {
  it("allows that site with its subdomains, and nothing else", () => {
    for (const url of ["http://shop.test/", "https://www.shop.test/a", "about:blank", ""])
      expect(forbiddenUrl(url, locked)).toBeUndefined();
    for (const url of [
      "http://other.test/",
      "https://shop.test.evil/",
      "file:///etc/passwd",
      "data:text/html,x",
    ])
      expect(forbiddenUrl(url, locked)).toMatch(/locked to shop\.test/);
    expect(permitCommand("Page.navigate", { url: "file:///etc/passwd" }, locked)).toHaveProperty("error");
    expect(permitCommand("Page.navigate", { url: "http://shop.test/a" }, locked)).toHaveProperty("params");
  });
});

describe("grants", () => {
  it("are asked for, and then allow the command", () => {
    expect(permitCommand("Network.getAllCookies", {}, full)).toMatchObject({
      grant: "cookies",
      error: expect.stringContaining('grant_needed: Network.getAllCookies needs "grant: cookies"'),
    });
    const granted: CdpAccess = { level: "full", grants: new Set(["cookies"] as const) };
    expect(permitCommand("Network.getAllCookies", {}, granted)).toEqual({ params: {} });
    expect(permitCommand("Network.getAllCookies", {}, { ...full, grants: "all" })).toEqual({ params: {} });
  });
});

describe("read-only", () => {
  it("lets agents look", () => {
    for (const method of [
      "Page.captureScreenshot",
      "DOM.getDocument",
      "Accessibility.getFullAXTree",
      "Network.enable",
    ])
      expect(permitCommand(method, {}, readOnly)).toEqual({ params: {} });
  });

  it("refuses methods that act, and unknown ones, and names who set it", () => {
    for (const method of [
      "Input.dispatchMouseEvent",
      "Page.navigate",
      "DOM.setAttributeValue",
      "Future.unknown",
    ]) {
      expect(permitCommand(method, { url: "http://a/" }, readOnly)).toHaveProperty(
        "error",
        expect.stringContaining('read_only: the tab has "access: read-only"'),
      );
      expect(permitCommand(method, { url: "http://a/" }, full, true)).toHaveProperty(
        "error",
        expect.stringContaining("the hub was started with --read-only"),
      );
    }
  });

  it("acknowledges set-up that changes nothing without sending it", () => {
    expect(permitCommand("Emulation.setFocusEmulationEnabled", { enabled: true }, readOnly)).toEqual({
      acknowledge: true,
    });
  });
});

describe("methods for nobody", () => {
  it("are refused even with full access", () => {
    expect(permitCommand("Browser.close", {}, full)).toHaveProperty(
      "error",
      expect.stringContaining("not_supported: Browser.close"),
    );
  });
});
