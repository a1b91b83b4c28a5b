import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "vite";
import { onTestFinished } from "vitest";
import { ROOT } from "../../fixtures.js";

let bundled: Promise<string> | undefined;

/** `debug-bridge-browser` from npm, bundled as an app would. */
function bundle(): Promise<string> {
  bundled ??= build({
    configFile: false,
    root: join(ROOT, "tests/libraries"),
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: join(ROOT, "tests/libraries/published-sdk.js"), formats: ["es"], fileName: "sdk" },
    },
  }).then((built) => {
    for (const each of [built].flat())
      if ("output" in each) for (const file of each.output) if (file.type === "chunk") return file.code;
    throw new Error("nothing was built");
  });
  return bundled;
}

/** Serves a page that embeds the published SDK and connects it to the hub. */
export async function servePublished(
  body: string,
  hub: string,
  options: Record<string, unknown> = {},
): Promise<string> {
  const script = await bundle();
  const sessionId = "published";
  const url = `${hub.replace("http", "ws")}/debug?role=app&sessionId=${sessionId}`;
  const html = `<!doctype html><html><head><title>Published</title></head><body>${body}
    <script>window.bridgeOptions = ${JSON.stringify({ url, sessionId, appName: "Old shop", ...options })}</script>
    <script type="module" src="/sdk.js"></script></body></html>`;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const isScript = request.url === "/sdk.js";
    if (request.url?.startsWith("/api")) {
      response.writeHead(request.url.includes("fail") ? 500 : 200, { "content-type": "application/json" });
      response.end("{}");
      return;
    }
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
