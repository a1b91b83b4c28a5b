/** A hub of a bus in a process of its own that frees what it can when asked, and says how much memory it uses. */
import { startHub } from "@debug-bridge/server";

/** Less is noise, in bytes. */
const STEADY = 20_000;
const MAX_ROUNDS = 30;

/**
 * Collects garbage until there is none: a part is let go only after several rounds, such as the code of functions that ran once at the start,
 * which is more than what the hub knows of many sessions.
 */
async function free() {
  for (
    let [round, steady, before] = [0, 0, Number.POSITIVE_INFINITY];
    round < MAX_ROUNDS && steady < 3;
    round++
  ) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { heapUsed } = process.memoryUsage();
    steady = before - heapUsed < STEADY ? steady + 1 : 0;
    before = heapUsed;
  }
}

const [home, url, name] = process.argv.slice(2);
const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, bus: { url, name } });
process.on("message", async () => {
  await free();
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ rss, heapUsed });
});
process.on("disconnect", () => process.exit());
process.send({ port: Number(new URL(hub.url).port), url: hub.url, token: hub.token });
