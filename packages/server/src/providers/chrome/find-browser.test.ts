import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addressIn, browserAddresses, checkChromeOption, profileFolders } from "./find-browser.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "debug-bridge-find-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A profile of a browser that offers remote debugging since then. */
function profile(name: string, text: string, minutesAgo = 0): void {
  const folder = join(home, ".config", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "DevToolsActivePort"), text);
  const at = Date.now() / 1_000 - minutesAgo * 60;
  utimesSync(join(folder, "DevToolsActivePort"), at, at);
}

describe("browsers that offer remote debugging", () => {
  it("are found in the profiles of Chrome, Chromium, Edge and Brave, the newest first", async () => {
    profile("google-chrome", "4001\n/devtools/browser/aaaa", 10);
    profile("BraveSoftware/Brave-Browser", "4002\n/devtools/browser/bbbb", 1);
    profile("microsoft-edge", "4003\n/devtools/browser/cccc", 5);
    const found = await browserAddresses("auto", { platform: "linux", env: {}, home });
    expect(found.slice(0, 3)).toEqual([
      "ws://127.0.0.1:4002/devtools/browser/bbbb",
      "ws://127.0.0.1:4003/devtools/browser/cccc",
      "ws://127.0.0.1:4001/devtools/browser/aaaa",
    ]);
  });

  it("have their profiles elsewhere on every system", () => {
    const mac = profileFolders({ platform: "darwin", env: {}, home: "/Users/ada" });
    expect(mac).toContain("/Users/ada/Library/Application Support/Google/Chrome");
    expect(mac).toContain("/Users/ada/Library/Application Support/Microsoft Edge");
    const windows = profileFolders({ platform: "win32", env: { LOCALAPPDATA: "/local" }, home: "/ada" });
    expect(windows).toContain(join("/local", "BraveSoftware/Brave-Browser/User Data"));
  });

  it("are not taken from a file that says anything else", () => {
    for (const text of [
      "",
      "4001",
      "4001\n/evil",
      "4001@evil.test\n/devtools/browser/a",
      "999999\n/devtools/browser/a",
    ]) {
      profile("chromium", text);
      expect(addressIn(join(home, ".config", "chromium"))).toBeUndefined();
    }
  });

  it("are named by auto or an address, and by nothing else", () => {
    for (const good of ["auto", "http://127.0.0.1:9222", "ws://box:1/devtools/browser/x"])
      expect(() => checkChromeOption(good)).not.toThrow();
    for (const bad of ["yes", "9222", "file:///x", "127.0.0.1:9222"])
      expect(() => checkChromeOption(bad)).toThrow(/--chrome takes auto, or an address/);
  });
});
