import { existsSync, readdirSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import { createLogger, createServer, type InlineConfig, type ViteDevServer } from "vite";
import { describe, expect, it, onTestFinished } from "vitest";
import { projectFolder } from "../../support/hub/project.js";

const FILES = {
  "index.html":
    '<!doctype html><head></head><body><script type="module" src="/main.js"></script><script type="module">import "/main.js";</script>',
  "main.js": 'console.log("started");\n',
};

interface Served {
  readonly vite: ViteDevServer;
  readonly root: string;
  /** What the server printed as an error. */
  readonly errors: string[];
}

async function create(config: InlineConfig = {}): Promise<Served> {
  const root = projectFolder(FILES);
  const errors: string[] = [];
  const customLogger = { ...createLogger("silent"), error: (line: string) => void errors.push(line) };
  const vite = await createServer({
    ...{ root, configFile: false, customLogger, cacheDir: join(root, ".vite"), ...config },
    plugins: [debugBridge({ url: "ws://127.0.0.1:9/debug", sessionId: "app", development: true })],
    server: { port: 0, host: "127.0.0.1", ...config.server },
  });
  onTestFinished(() => vite.close());
  return { vite, root, errors };
}

/** The modules that a page loads because of the plugin, in that order, by their paths. */
async function modulesOf(address: string): Promise<[path: string, response: Response, text: string][]> {
  const { origin } = new URL(address);
  const html = await (await fetch(address, { headers: { accept: "text/html" } })).text();
  const [, first = ""] = /<script [^>]*\bsrc="([^"]*@debug-bridge[^"]*)"/.exec(html) ?? [];
  const load = async (path: string): Promise<[string, Response, string]> => {
    const response = await fetch(`${origin}${path}`);
    return [path, response, await response.text()];
  };
  const page = await load(first);
  const [, sdk = ""] = /import \{ startBridge \} from "([^"]+)"/.exec(page[2]) ?? [];
  return [page, await load(sdk)];
}

describe("the plugin for Vite", () => {
  it("sends pages the SDK as it was built, which Vite neither optimizes nor builds", async () => {
    const { vite, root, errors } = await create();
    await vite.listen();
    const [page, sdk] = await modulesOf(vite.resolvedUrls?.local[0] as string);
    expect(page?.[0]).toBe("/@debug-bridge/page.js");
    expect(page?.[1].headers.get("content-type")).toBe("text/javascript");
    expect(page?.[1].headers.get("cache-control")).toBe("no-cache");
    expect(page?.[2]).toContain('import { createHotContext } from "/@vite/client"');
    expect(sdk?.[0]).toMatch(/^\/@debug-bridge\/[\w-]+\/sdk\.js$/);
    expect(sdk?.[1].headers.get("cache-control")).toBe("max-age=31536000, immutable");
    expect(sdk?.[2]).not.toMatch(/\bfrom ?"[^./]/);
    await vite.transformRequest("/main.js");
    expect(vite.environments.client.moduleGraph.getModuleById("\0virtual-debug-bridge")).toBeUndefined();
    const optimized = join(root, ".vite/deps");
    expect(
      existsSync(optimized) ? readdirSync(optimized).filter((name) => name.includes("debug")) : [],
    ).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("does so below the base of the server, which begins every address", async () => {
    const { vite, errors } = await create({ base: "/shop/" });
    await vite.listen();
    const [page, sdk] = await modulesOf(vite.resolvedUrls?.local[0] as string);
    expect(page?.[0]).toBe("/shop/@debug-bridge/page.js");
    expect(page?.[2]).toContain('from "/shop/@vite/client"');
    expect(sdk?.[0]).toMatch(/^\/shop\/@debug-bridge\//);
    expect(sdk?.[1].status).toBe(200);
    expect(errors).toEqual([]);
  });

  it("does so in a server of somebody else, which has Vite as a middleware", async () => {
    const { vite } = await create({ server: { middlewareMode: true, hmr: { port: 0 } } });
    const http = createHttpServer(vite.middlewares).listen(0, "127.0.0.1");
    onTestFinished(() => void http.close());
    await new Promise((resolve) => http.once("listening", resolve));
    const [page, sdk] = await modulesOf(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
    expect([page?.[1].status, sdk?.[1].status]).toEqual([200, 200]);
  });

  it("reaches pages that a framework renders through the script of Vite", async () => {
    const { vite } = await create({ base: "/shop/" });
    await vite.listen();
    const client = await vite.transformRequest("/@vite/client");
    expect(client?.code).toContain('"/shop/@debug-bridge/page.js"');
  });

  it("names the hub itself to pages of a server without hot updates", async () => {
    const { vite } = await create({ server: { hmr: false } });
    await vite.listen();
    const [page] = await modulesOf(vite.resolvedUrls?.local[0] as string);
    expect(page?.[2]).not.toContain("@vite/client");
    expect(page?.[2]).toContain("ws://127.0.0.1:9/debug");
  });

  it("has Vite build the module in production mode, where the page then refuses to connect", async () => {
    const mode = process.env.NODE_ENV;
    process.env.NODE_ENV = "production";
    onTestFinished(() => {
      process.env.NODE_ENV = mode;
    });
    const { vite } = await create({ mode: "production" });
    await vite.listen();
    const html = await (await fetch(vite.resolvedUrls?.local[0] as string)).text();
    expect(html).toContain('src="/@id/__x00__virtual-debug-bridge"');
    const built = await vite.transformRequest("\0virtual-debug-bridge");
    expect(built?.code).toContain("/dist/page/sdk.js");
  });

  it("gives away no other file", async () => {
    const { vite } = await create();
    await vite.listen();
    const { origin } = new URL(vite.resolvedUrls?.local[0] as string);
    for (const path of ["x/..%2findex.js", "x/missing.js", "x/sdk.json"]) {
      const response = await fetch(`${origin}/@debug-bridge/${path}`);
      expect(response.status === 404 || (await response.text()).startsWith("<!doctype html>")).toBe(true);
    }
  });
});
