import { randomBytes } from "node:crypto";
import { type Bus, connectBus, MemoryExchange } from "@debug-bridge/server";
import { afterAll, beforeAll } from "vitest";
import { startNats, type TestNats } from "../bus/nats.js";
import { isLong } from "../machine/long-mode.js";

/** With `HUBS=2` apps connect to one hub, and agents, CDP clients and chats to another one that shares a bus with it. */
export const hasTwoHubs = process.env.HUBS === "2";

let nats: TestNats | undefined;
// `npm test` has no time for more than a bus in memory, which passes the same contract test.
if (hasTwoHubs && isLong) {
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats?.stop());
}

/** Connects hubs to a bus that no other test uses: over NATS in the long mode. */
export function newBus(): (name: string) => Promise<Bus> {
  if (nats) {
    const url = `${nats.url}/t${randomBytes(4).toString("hex")}`;
    return (name) => connectBus({ url, name });
  }
  const exchange = new MemoryExchange();
  return async (name) => exchange.connect(name);
}
