import { describe, expect, it } from "vitest";
import { isChosen, isLoopback, patternOf, scriptsFor } from "./sites.js";

describe("sites", () => {
  it("takes the pages of this machine, on any port, and no others", () => {
    for (const url of [
      "http://localhost:3000/x",
      "https://app.localhost/",
      "http://127.0.0.1:1/",
      "http://[::1]:8/",
    ])
      expect(isLoopback(url)).toBe(true);
    for (const url of ["http://localhost.evil.test/", "http://127.0.0.1.test/", "file:///localhost", "x"])
      expect(isLoopback(url)).toBe(false);
  });

  it("chooses a site with its scheme and host", () => {
    expect(patternOf("https://shop.test:8443/cart?x=1")).toBe("https://shop.test/*");
    expect(patternOf("chrome://extensions")).toBeUndefined();
    expect(isChosen("https://shop.test/a", ["https://shop.test/*"])).toBe(true);
    expect(isChosen("http://shop.test/a", ["https://shop.test/*"])).toBe(false);
  });

  it("runs the page's script before the one that makes it an offer, in all frames, at the start", () => {
    const [page, relay] = scriptsFor(["https://shop.test/*"]);
    expect(page).toMatchObject({ world: "MAIN", runAt: "document_start", allFrames: true });
    expect(relay).toMatchObject({ world: "ISOLATED", runAt: "document_start", allFrames: true });
    expect(relay?.matches).toContain("https://shop.test/*");
  });
});
