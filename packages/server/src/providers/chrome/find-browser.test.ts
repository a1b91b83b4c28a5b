import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
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

/** Serves the list of a browser that knows itself by another address, to those that know the token; returns its host. */
async function serveList(named: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://box");
    const isKnown = pathname === "/json/version" && searchParams.get("token") === "s3cret";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(isKnown ? JSON.stringify({ webSocketDebuggerUrl: named }) : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the address of a browser", () => {
  it("keeps the token of the address that was given, which a service asks for", async () => {
    const host = await serveList("ws://0.0.0.0:3000/devtools/browser/x");
    const [found] = await browserAddresses(`http://${host}?token=s3cret`);
    expect(found).toBe(`ws://${host}/devtools/browser/x?token=s3cret`);
    await expect(browserAddresses(`http://${host}`)).rejects.toThrow(/answers, but it is not a browser/);
  });

  it("keeps what a service named itself, and repeats nothing", async () => {
    const host = await serveList("ws://0.0.0.0:3000/?token=of-this-session&id=7");
    const [found] = await browserAddresses(`http://${host}/?token=s3cret&timeout=60000`);
    expect(found).toBe(`ws://${host}/?token=of-this-session&id=7&timeout=60000`);
  });

  it("is wss when its list was read with TLS", async () => {
    const answer = { webSocketDebuggerUrl: "ws://0.0.0.0:3000/devtools/browser/x" };
    const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(answer));
    onTestFinished(() => fetched.mockRestore());
    const [found] = await browserAddresses("https://browsers.test?token=s3cret");
    expect(String(fetched.mock.calls[0]?.[0])).toBe("https://browsers.test/json/version?token=s3cret");
    expect(found).toBe("wss://browsers.test/devtools/browser/x?token=s3cret");
  });

  it("is used as it is when it is a WebSocket address", async () => {
    for (const address of [
      "ws://grid:4444/session/0a1b/se/cdp",
      "wss://box/devtools/browser/x?token=s3cret",
      "WS://box/x",
    ])
      expect(await browserAddresses(address)).toEqual([address]);
  });
});

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
