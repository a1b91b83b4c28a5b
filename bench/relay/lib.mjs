import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { CHROMIUM } from "../lib/chromium.mjs";
import { CLI } from "../lib/cli.mjs";
import { copyExtension } from "../lib/pairing.mjs";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(condition, limitMs = 20_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for: ${condition}`);
    await wait(5);
  }
}

/** A hub in its own process, as users run it. */
async function startHub(home, ...more) {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const child = spawn(process.execPath, [CLI, "up", "--json", "--home", home, ...ports, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
  const { relay, tokenFile } = JSON.parse(line);
  return {
    pid: child.pid,
    relayUrl: relay,
    token: readFileSync(tokenFile, "utf8").trim(),
    pairingKey: readFileSync(join(home, "pairing-key"), "utf8").trim(),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}

/**
 * A Chromium with the extension, connected to its own hub, with so many tabs open; and both ways to it. `more`
 * writes another extension into a folder, which is loaded too.
 */
export async function startStage({
  tabs = 1,
  browser = true,
  page = "<title>Bench</title><p>Bench</p>",
  more = undefined,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
  if (!browser) {
    const hub = await startHub(join(folder, "home"));
    return {
      hub,
      relay: `${hub.relayUrl}/cdp?token=${hub.token}`,
      async close() {
        await hub.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html>${page}`);
  });
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${site.address().port}/`;
  const hub = await startHub(join(folder, "home"));
  const profile = join(folder, "profile");
  const extension = join(folder, "extension");
  const relayPort = Number(new URL(hub.relayUrl).port);
  copyExtension(extension, { relayPort, pairingKey: hub.pairingKey });
  const another = join(folder, "another-extension");
  more?.(another);
  const extensions = more ? `${extension},${another}` : extension;
  const chrome = spawn(
    CHROMIUM.executablePath,
    [
      ...CHROMIUM.args,
      "--remote-debugging-port=0",
      `--disable-extensions-except=${extensions}`,
      `--load-extension=${extensions}`,
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: "ignore", detached: true },
  );
  const port = await until(() => {
    try {
      return readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0];
    } catch {
      return undefined;
    }
  });
  const direct = `http://127.0.0.1:${port}`;
  // Chrome may never finish a navigation that began before it had loaded the extension.
  const list = async () => (await fetch(`${direct}/json/list`)).json();
  await until(async () => (await list()).some(({ type }) => type === "service_worker"));
  const blank = (await list()).find((target) => target.type === "page");
  for (let i = 0; i < tabs; i++) await fetch(`${direct}/json/new?${url}?${i}`, { method: "PUT" });
  await fetch(`${direct}/json/close/${blank.id}`);
  const relay = `${hub.relayUrl}/cdp?token=${hub.token}`;
  await until(async () => {
    const health = await (await fetch(`${hub.relayUrl.replace("ws", "http")}/healthz`)).json();
    return health.extension && health.tabs >= tabs;
  });
  const { webSocketDebuggerUrl } = await (await fetch(`${direct}/json/version`)).json();
  return {
    /** Another hub, which is connected to the browser itself. */
    async hubWithoutExtension() {
      const other = await startHub(join(folder, "other"), "--chrome", direct);
      const health = `${other.relayUrl.replace("ws", "http")}/healthz`;
      await until(async () => (await (await fetch(health)).json()).tabs > 0);
      return { relay: `${other.relayUrl}/cdp?token=${other.token}`, close: () => other.close() };
    },
    url,
    direct,
    relay,
    hub,
    playwright: (address) => chromium.connectOverCDP(address),
    puppeteer: (address) =>
      puppeteer.connect({
        browserWSEndpoint: address === direct ? webSocketDebuggerUrl : address,
        defaultViewport: null,
      }),
    async close() {
      await hub.close();
      process.kill(-chrome.pid, "SIGKILL");
      await new Promise((resolve) => chrome.once("exit", resolve));
      site.closeAllConnections();
      site.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
