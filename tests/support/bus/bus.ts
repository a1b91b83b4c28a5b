import { randomBytes } from "node:crypto";
import { type Bus, connectBus, type HubOptions, MemoryExchange } from "@debug-bridge/server";
import { type TestHub, testHub } from "../hub/hub.js";
import { startNats, type TestNats } from "./nats.js";

/** Connects a hub to the bus of one test. */
export type ConnectBus = (name: string) => Promise<Bus>;

/** The kinds of buses that tests run on, and one NATS server for all tests of a file. */
export class TestBuses {
  private nats: TestNats | undefined;

  async start(): Promise<void> {
    this.nats = await startNats();
  }

  async stop(): Promise<void> {
    await this.nats?.stop();
  }

  /** Kills the NATS server, and starts it again with what it has stored. */
  async restartNats(): Promise<void> {
    await this.nats?.restart();
  }

  /** An address with a namespace that no other test uses. */
  address(): string {
    return `${this.nats?.url}/t${randomBytes(4).toString("hex")}`;
  }

  readonly kinds: [string, () => ConnectBus][] = [
    [
      "in memory",
      () => {
        const exchange = new MemoryExchange();
        return async (name) => exchange.connect(name);
      },
    ],
    [
      "NATS",
      () => {
        const url = this.address();
        return (name) => connectBus({ url, name });
      },
    ],
  ];
}

/** Hubs that share a bus. */
export async function hubsOn(
  connect: ConnectBus,
  names: readonly string[],
  options: HubOptions = {},
): Promise<TestHub[]> {
  const hubs: TestHub[] = [];
  for (const name of names) hubs.push(await testHub({ ...options, bus: await connect(name) }));
  return hubs;
}
