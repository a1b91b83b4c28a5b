import { describe, expect, it } from "vitest";
import { isCaptured, isLoopback, patternOf, scriptsFor } from "./sites.js";

describe("captured sites", () => {
  it("include every port of this machine and no other host", () => {
    for (const url of [
      "http://localhost:3000/x",
      "https://app.localhost/",
      "http://127.0.0.1:1/",
      "http://[::1]:8/",
    ])
      expect(isLoopback(url)).toBe(true);
    for (const url of [
      "http://localhost.evil.test/",
      "http://127.0.0.1.test/",
      "http://127.0.0.2/",
      "file:///localhost",
      "x",
    ])
      expect(isLoopback(url)).toBe(false);
  });

  it("are identified by scheme and host", () => {
    expect(patternOf("https://shop.test:8443/cart?x=1")).toBe("https://shop.test/*");
    expect(patternOf("chrome://extensions")).toBeUndefined();
    expect(isCaptured("https://shop.test/a", ["https://shop.test/*"])).toBe(true);
    expect(isCaptured("http://shop.test/a", ["https://shop.test/*"])).toBe(false);
  });

  it("run the script of the page's world before the isolated one, in all frames, at the start", () => {
    const [page, relay] = scriptsFor(["https://shop.test/*"]);
    expect(page).toMatchObject({ world: "MAIN", runAt: "document_start", allFrames: true });
    expect(relay).toMatchObject({ world: "ISOLATED", runAt: "document_start", allFrames: true });
    expect(relay?.matches).toContain("https://shop.test/*");
  });
});
