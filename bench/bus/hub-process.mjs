/** A hub of a bus in a process of its own that frees what it can when asked, and says how much memory it uses. */
import { startHub } from "@debug-bridge/server";

const [home, url, name] = process.argv.slice(2);
const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, bus: { url, name } });
process.on("message", () => {
  for (let i = 0; i < 2; i++) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ rss, heapUsed });
});
process.on("disconnect", () => process.exit());
process.send({ port: Number(new URL(hub.url).port), url: hub.url, token: hub.token });
