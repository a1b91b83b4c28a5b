import { cdpMethodClasses } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { type AccessSettings, DEFAULT_ACCESS } from "../../settings/access.js";
import { forbiddenUrl, isOffered, permitCommand } from "./permit.js";
import { explainAttach, restriction } from "./restricted.js";

const locked: AccessSettings = { ...DEFAULT_ACCESS, site: "shop.test" };
const readOnly: AccessSettings = { ...DEFAULT_ACCESS, readOnly: true };

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
  });

  it("are explained when Chrome refuses to attach", () => {
    expect(explainAttach("Cannot access a chrome-extension:// URL of different extension", 3)).toContain(
      "another extension",
    );
    expect(explainAttach("No tab with given id 3.", 3)).toContain("target_not_found");
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
  });

  it("refuses every method that reaches the whole profile", () => {
    for (const [method, accessClass] of cdpMethodClasses())
      if (accessClass === "profile")
        expect(permitCommand(method, {}, locked)).toHaveProperty(
          "error",
          expect.stringContaining("forbidden_origin: agents are locked to shop.test"),
        );
    expect(permitCommand("Network.getCookies", { urls: ["https://bank.test/"] }, locked)).toHaveProperty(
      "error",
    );
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

  it("runs code only without side effects", () => {
    expect(
      permitCommand("Runtime.evaluate", { expression: "1", userGesture: true }, readOnly, true),
    ).toMatchObject({
      params: { expression: "1", throwOnSideEffect: true, userGesture: false },
    });
  });

  it("refuses methods that act, and unknown ones, and names the setting", () => {
    for (const method of [
      "Input.dispatchMouseEvent",
      "Page.navigate",
      "DOM.setAttributeValue",
      "Page.close",
      "Fetch.fulfillRequest",
      "Future.unknown",
    ]) {
      expect(permitCommand(method, { url: "http://a/" }, readOnly)).toHaveProperty(
        "error",
        expect.stringContaining("read_only: Read-only is on in the Debug Bridge popup"),
      );
      expect(permitCommand(method, { url: "http://a/" }, DEFAULT_ACCESS, true)).toHaveProperty(
        "error",
        expect.stringContaining("the hub was started with --read-only"),
      );
    }
  });

  it("adds a script for new documents only when it is empty, whatever ends its comment", () => {
    const add = (params: object) =>
      permitCommand("Page.addScriptToEvaluateOnNewDocument", { ...params }, readOnly);
    expect(add({ source: "evil()" })).toHaveProperty("error");
    for (const end of ["\n", "\r", "\u2028", "\u2029"])
      expect(add({ source: `//${end}evil()`, runImmediately: true })).toHaveProperty("error");
    expect(add({ source: "//# sourceURL=x", runImmediately: true })).toEqual({ params: { source: "" } });
  });

  it("acknowledges set-up that changes nothing without sending it", () => {
    expect(permitCommand("Emulation.setFocusEmulationEnabled", { enabled: true }, readOnly)).toEqual({
      acknowledge: true,
    });
  });
});

describe("methods for nobody", () => {
  it("are refused even with full access", () => {
    expect(permitCommand("Browser.close", {}, DEFAULT_ACCESS)).toHaveProperty(
      "error",
      expect.stringContaining("not_supported: Browser.close"),
    );
  });
});

describe("the tabs that agents see", () => {
  const none = new Set<number>();
  it("are all tabs or only those handed over, and never a revoked one", () => {
    const tab = { id: 1, url: "http://a/" };
    expect(isOffered(tab, DEFAULT_ACCESS, none, none)).toBe(true);
    expect(isOffered(tab, DEFAULT_ACCESS, none, new Set([1]))).toBe(false);
    const manual = { ...DEFAULT_ACCESS, mode: "manual" } as const;
    expect(isOffered(tab, manual, none, none)).toBe(false);
    expect(isOffered(tab, manual, new Set([1]), none)).toBe(true);
  });
});
