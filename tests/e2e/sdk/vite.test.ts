import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import type { Browser } from "playwright-core";
import { createServer } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { root } from "../page/browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

test("[APP-001] the Vite plugin connects an unchanged app, in development only", async () => {
  const hub = await FakeHub.start();
  const app = await mkdtemp(join(tmpdir(), "bridge-vite-"));
  await writeFile(
    join(app, "index.html"),
    `<!doctype html><title>App</title><button>Press</button><script type="module" src="/main.js"></script>`,
  );
  await writeFile(join(app, "main.js"), `console.log("first line of the app");`);
  const plugin = debugBridge({ url: hub.url, sessionId: "s1" });
  expect(plugin.apply({}, { command: "build" })).toBe(false);
  const server = await createServer({
    configFile: false,
    root: app,
    logLevel: "error",
    cacheDir: join(app, ".vite"),
    plugins: [plugin],
    resolve: { alias: { "@debug-bridge/browser": `${root}packages/browser/dist/index.js` } },
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  const page = await browser.newPage();
  try {
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    await hub.waitFor("console", ({ args }) => args[0] === "first line of the app");
    await hub.waitFor("ui_tree", ({ items }) => items[0]?.text === "Press");
    expect(await hub.run({ type: "click", target: { text: "Press" } })).toMatchObject({ success: true });
  } finally {
    await page.close();
    await server.close();
    await hub.stop();
    await rm(app, { recursive: true });
  }
});
