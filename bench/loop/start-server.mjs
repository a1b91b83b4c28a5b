/** Starts a development server of Vite for an app, with the plugin when it is asked for, and prints how long that took. */
import { createServer } from "vite";

const [root, cacheDir, mode] = process.argv.slice(2);
const plugins = [];
if (mode === "with") {
  const { debugBridge } = await import("@debug-bridge/browser/vite");
  plugins.push(debugBridge({ sessionId: "bench" }));
}
const server = await createServer({
  ...{ root, cacheDir, plugins, configFile: false, logLevel: "silent" },
  server: { port: 0, host: "127.0.0.1" },
});
await server.listen();
// The app can be used when its first modules are served.
const url = server.resolvedUrls.local[0];
await (await fetch(url)).text();
await (await fetch(`${url}src/main.js`)).text();
// Since the process began.
console.log(performance.now());
process.exit(0);
