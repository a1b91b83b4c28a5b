/** A hub in a process of its own, with the token, for the load rows. Frees what it can when asked. */
import { startHub } from "@debug-bridge/server";

const [home, record] = process.argv.slice(2);
const hub = await startHub({
  ...{ port: 0, consolePort: 0, relayPort: 0, announce: false, home, record: record === "record" },
});
process.on("message", () => {
  globalThis.gc?.();
  process.send("freed");
});
process.on("disconnect", () => process.exit());
process.send({ url: hub.url, console: hub.consoleUrl, relay: hub.relayUrl, token: hub.token });
