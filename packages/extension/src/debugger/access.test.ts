import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AccessSettings,
  DEFAULT_ACCESS,
  forbiddenUrl,
  hostIn,
  isOffered,
  permitted,
  readAccess,
} from "./access.js";
import { explainAttach, restriction } from "./restricted.js";

const locked: AccessSettings = { ...DEFAULT_ACCESS, site: "shop.test" };
const readOnly: AccessSettings = { ...DEFAULT_ACCESS, readOnly: true };

describe("pages that nobody may debug", () => {
  it("are named as what they are", () => {
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
  });

  it("are explained when Chrome refuses to attach", () => {
    expect(explainAttach("Cannot access a chrome-extension:// URL of different extension", 3)).toContain(
      "another extension",
    );
    expect(explainAttach("No tab with given id 3.", 3)).toContain("target_not_found");
  });
});

describe("a lock to a site", () => {
  it("lets that site through, with those below it, and nothing else", () => {
    for (const url of ["http://shop.test/", "https://www.shop.test/a", "about:blank", ""])
      expect(forbiddenUrl(url, locked)).toBeUndefined();
    for (const url of [
      "http://other.test/",
      "https://shop.test.evil/",
      "file:///etc/passwd",
      "data:text/html,x",
    ])
      expect(forbiddenUrl(url, locked)).toMatch(/locked to shop\.test/);
    expect(permitted("Page.navigate", { url: "file:///etc/passwd" }, locked)).toHaveProperty("error");
    expect(permitted("Storage.getCookies", {}, locked)).toHaveProperty("error");
  });

  it("takes a host or an address, whatever a person types", () => {
    expect(hostIn(" https://Shop.test/path ")).toBe("shop.test");
    expect(hostIn("shop.test:8080")).toBe("shop.test");
    fc.assert(fc.property(fc.string(), (text) => void hostIn(text)));
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
      expect(permitted(method, {}, readOnly)).toEqual({ params: {} });
  });

  it("runs code only as far as it changes nothing", () => {
    expect(permitted("Runtime.evaluate", { expression: "1", userGesture: true }, readOnly)).toEqual({
      params: { expression: "1", throwOnSideEffect: true, userGesture: false },
    });
  });

  it("refuses what acts", () => {
    for (const method of [
      "Input.dispatchMouseEvent",
      "Page.navigate",
      "DOM.setAttributeValue",
      "Page.close",
      "Fetch.fulfillRequest",
    ])
      expect(permitted(method, { url: "http://a/" }, readOnly)).toHaveProperty(
        "error",
        expect.stringContaining("read_only"),
      );
    expect(permitted("Page.addScriptToEvaluateOnNewDocument", { source: "evil()" }, readOnly)).toHaveProperty(
      "error",
    );
    expect(
      permitted("Page.addScriptToEvaluateOnNewDocument", { source: "//# sourceURL=x" }, readOnly),
    ).toHaveProperty("params");
  });
});

describe("what agents see", () => {
  const none = new Set<number>();
  it("is every tab, or only what was handed over; never what was taken back", () => {
    const tab = { id: 1, url: "http://a/" };
    expect(isOffered(tab, DEFAULT_ACCESS, none, none)).toBe(true);
    expect(isOffered(tab, DEFAULT_ACCESS, none, new Set([1]))).toBe(false);
    const manual = { ...DEFAULT_ACCESS, mode: "manual" } as const;
    expect(isOffered(tab, manual, none, none)).toBe(false);
    expect(isOffered(tab, manual, new Set([1]), none)).toBe(true);
  });

  it("reads settings of any shape", () => {
    expect(readAccess(undefined)).toEqual(DEFAULT_ACCESS);
    fc.assert(fc.property(fc.anything(), (stored) => void readAccess(stored)));
  });
});
