/**
 * Starts a development server of Vite for an app, with the plugin that is installed in it when that is asked for, and prints its
 * address and how long it took until everything was served that a page loads before the app has started. It ends with its input.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer } from "vite";

const [root, cacheDir, mode] = process.argv.slice(2);
const plugins = [];
if (mode === "with") {
  const plugin = createRequire(join(root, "package.json")).resolve("@debug-bridge/browser/vite");
  const { debugBridge } = await import(pathToFileURL(plugin));
  plugins.push(debugBridge({ sessionId: "bench" }));
}
const server = await createServer({
  ...{ root, cacheDir, plugins, configFile: false, logLevel: "silent" },
  server: { port: 0, host: "127.0.0.1" },
});
await server.listen();
const url = server.resolvedUrls.local[0];
await load(url, /<script [^>]*\bsrc="([^"]+)"/g);
// Since the process began.
console.log(JSON.stringify({ url, ms: performance.now() }));
process.stdin.on("end", () => process.exit(0)).resume();

/** Asks for a document or a module, and for all that it imports, as a browser does. */
async function load(address, imported = /\b(?:from|import) ?"([^"]+)"/g, loaded = new Set()) {
  if (loaded.has(address)) return;
  loaded.add(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const text = await response.text();
  const addresses = [...text.matchAll(imported)].map(([, path]) => new URL(path, address).href);
  await Promise.all(addresses.map((each) => load(each, undefined, loaded)));
}
