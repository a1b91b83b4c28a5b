import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import type { Page } from "playwright-core";
import { createServer, type Plugin, type ViteDevServer } from "vite";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { launchChromium } from "../../support/chrome/chromium.js";
import { freePort } from "../../support/hub/free-port.js";
import { root } from "../page/browser.js";
import { setStage } from "./stage.js";

const stage = setStage();

/** What a page prints, by level. */
function printed(page: Page): { errors: string[]; ours: string[] } {
  const lines = { errors: [] as string[], ours: [] as string[] };
  page.on("console", (message) => {
    // The icon that the browser asks for is no matter of ours.
    if (message.type() === "error" && !message.location().url.endsWith("favicon.ico"))
      lines.errors.push(message.text());
    if (message.text().startsWith("debug-bridge:")) lines.ours.push(message.text());
  });
  return lines;
}

async function openPage(url: string, policy = ""): Promise<{ errors: string[]; ours: string[] }> {
  const { page, hub } = stage;
  const lines = printed(page);
  hub.pages["/"] =
    `<!doctype html><head>${policy}<script src="/sdk.js" data-url="${url}" data-session="s1"></script></head>`;
  await page.clock.install();
  await page.goto(`${hub.origin}/`);
  await until(() => lines.ours.length > 0);
  await page.clock.runFor(12_000);
  return lines;
}

describe("a page whose hub does not run", () => {
  test("prints one error of the browser in 12 seconds, and one line that says what to do", async () => {
    const url = `ws://127.0.0.1:${await freePort()}/debug`;
    const { errors, ours } = await openPage(url);
    expect(errors).toHaveLength(1);
    expect(ours).toEqual([expect.stringContaining(`no hub at ${url}. Run "debug-bridge up" and reload`)]);
  });

  test("says how to change a Content-Security-Policy that forbids the connection", async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">`;
    const { errors, ours } = await openPage(`ws://127.0.0.1:${await freePort()}/debug`, policy);
    expect(errors.length).toBeLessThanOrEqual(2);
    expect(ours).toEqual([expect.stringContaining("connect-src")]);
  });

  test("of another host says how to let it in", async () => {
    const browser = await launchChromium(["--host-resolver-rules=MAP shop.test 127.0.0.1"]);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const lines = printed(page);
    const url = `ws://127.0.0.1:${await freePort()}/debug`;
    stage.hub.pages["/"] = `<!doctype html><script src="/sdk.js" data-connect="false"></script>
      <script>DebugBridge.createDebugBridge({ url: "${url}", sessionId: "s1", allowProduction: true }).connect()</script>`;
    const origin = stage.hub.origin.replace("127.0.0.1", "shop.test");
    await page.goto(`${origin}/`);
    await until(() => lines.ours.length > 0);
    expect(lines.ours[0]).toContain(`Run "debug-bridge up --allow-origin ${origin}" and reload`);
  });
});

/** A development server for an app in a separate folder. */
async function serveApp(port: number, plugins: Plugin[] = []): Promise<ViteDevServer> {
  const app = await mkdtemp(join(tmpdir(), "bridge-vite-"));
  await writeFile(
    join(app, "index.html"),
    `<!doctype html><title>App</title><button>Press</button><script type="module" src="/main.js"></script>`,
  );
  await writeFile(join(app, "main.js"), `console.log("first line of the app");`);
  const server = await createServer({
    configFile: false,
    root: app,
    logLevel: "error",
    resolve: { alias: { "@debug-bridge/browser": `${root}packages/browser/dist/index.js` } },
    server: { host: "127.0.0.1", port: 0, fs: { strict: false } },
    plugins: [debugBridge({ url: `ws://127.0.0.1:${port}/debug`, sessionId: "s1" }) as Plugin, ...plugins],
  });
  await server.listen();
  onTestFinished(async () => {
    await server.close();
    await rm(app, { recursive: true });
  });
  return server;
}

const urlOf = (server: ViteDevServer): string => server.resolvedUrls?.local[0] ?? "";

describe("the Vite plugin", () => {
  test("prints no error while no hub runs, and connects the page when one starts", async () => {
    const port = await freePort();
    const server = await serveApp(port);
    const lines = printed(stage.page);
    await stage.page.goto(urlOf(server));
    await until(() => lines.ours.length > 0);
    expect(lines.ours[0]).toContain('This page connects when you run "debug-bridge up"');
    const home = temporaryFolder();
    const { ready } = await startUp(["--port", String(port)], home);
    await until(async () => (await runCli(["logs", "s1", "--home", home])).stdout.includes("first line"));
    expect(ready.hub).toBe(`http://127.0.0.1:${port}`);
    expect(lines.errors).toEqual([]);
    expect(lines.ours).toHaveLength(1);
  });

  test("reaches pages that a framework renders by itself", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    const rendering: Plugin = {
      name: "framework",
      configureServer: ({ middlewares }) => {
        middlewares.use("/rendered", (_request, response) => {
          response.setHeader("content-type", "text/html");
          response.end(`<!doctype html><title>Rendered</title><button>Buy</button>
            <script type="module" src="/@vite/client"></script>`);
        });
      },
    };
    const server = await serveApp(Number(new URL(ready.hub).port), [rendering]);
    await stage.page.goto(`${urlOf(server)}rendered`);
    await until(async () => (await runCli(["observe", "s1", "--home", home])).stdout.includes("Buy"));
  });
});
