/**
 * Starts a development server of Vite for an app, with the plugin that is installed in it when that is asked for, and prints its
 * address and how long it took until the first modules of the app were served. It ends with its input.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer } from "vite";

const [root, cacheDir, mode] = process.argv.slice(2);
const plugins = [];
if (mode === "with") {
  const plugin = pathToFileURL(join(root, "node_modules/@debug-bridge/browser/dist/vite.js"));
  const { debugBridge } = await import(plugin);
  plugins.push(debugBridge({ sessionId: "bench" }));
}
const server = await createServer({
  ...{ root, cacheDir, plugins, configFile: false, logLevel: "silent" },
  server: { port: 0, host: "127.0.0.1" },
});
await server.listen();
const url = server.resolvedUrls.local[0];
await (await fetch(url)).text();
await (await fetch(`${url}src/main.js`)).text();
// Since the process began.
console.log(JSON.stringify({ url, ms: performance.now() }));
process.stdin.on("end", () => process.exit(0)).resume();
