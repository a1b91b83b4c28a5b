import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT, until } from "../../fixtures.js";
import { ConsoleClient } from "../../support/console/console-client.js";
import { WireClient } from "../../support/hub/wire-client.js";

interface HubProcess {
  readonly port: number;
  readonly consolePort: number;
  usage(): Promise<{ heapUsed: number; cpuMs: number }>;
}

/** A hub in its own process, whose processor time and memory can be measured whatever else the machine does. */
async function hubProcess(): Promise<HubProcess> {
  const child: ChildProcess = fork(join(ROOT, "bench/hub/hub-process.mjs"), [], {
    execArgv: ["--expose-gc"],
  });
  onTestFinished(() => {
    child.kill();
  });
  const [{ port, consolePort }] = (await once(child, "message")) as [{ port: number; consolePort: number }];
  return {
    port,
    consolePort,
    usage: async () => {
      child.send("usage");
      const [usage] = (await once(child, "message")) as [{ heapUsed: number; cpuMs: number }];
      return usage;
    },
  };
}

describe("the hub", () => {
  it("spends less than ten times as much on a message with 300 sessions as with one [ARC-109]", async () => {
    const costOf = async (sessions: number): Promise<number> => {
      const hub = await hubProcess();
      const url = `http://127.0.0.1:${hub.port}`;
      const ids = Array.from({ length: sessions }, (_, i) => `s${i}`);
      const agents = await Promise.all(
        ids.map((sessionId) => WireClient.connect(url, { role: "agent", sessionId })),
      );
      const apps = await Promise.all(
        ids.map((sessionId) => WireClient.connect(url, { role: "app", sessionId })),
      );
      let received = 0;
      for (const { socket } of agents)
        socket.on("message", (data) => {
          if (String(data).includes('"console"')) received++;
        });
      const send = async (count: number): Promise<void> => {
        const goal = received + count;
        for (let sent = 0; sent < count; sent += 300) {
          for (let i = sent; i < Math.min(sent + 300, count); i++)
            apps[i % sessions]?.send({ type: "console", level: "log", args: [`line ${i}`] });
          await until(() => received >= goal - count + Math.min(sent + 300, count));
        }
      };
      await send(1_500);
      const costs: number[] = [];
      for (let round = 0; round < 3; round++) {
        const before = (await hub.usage()).cpuMs;
        await send(3_000);
        costs.push((await hub.usage()).cpuMs - before);
      }
      return Math.min(...costs);
    };
    const [one, many] = [await costOf(1), await costOf(300)];
    // A cost that grew with the number of sessions would be up to 300 times higher; frames of one socket are read in
    // batches and those of 300 are not, which alone can triple the cost on a busy machine.
    expect(many / one).toBeLessThan(10);
  });

  it("keeps its memory bounded while console events stream in [CON-081]", async () => {
    const hub = await hubProcess();
    const url = `ws://127.0.0.1:${hub.consolePort}`;
    // The hub limits each connection to 20,000 events a second.
    const clients = await Promise.all(Array.from({ length: 6 }, () => ConsoleClient.greeted(url)));
    const stream = async (batches: number): Promise<void> => {
      for (let batch = 0; batch < batches; batch++) {
        for (const client of clients) {
          const lines = Array.from({ length: 100 }, (_, i) =>
            client.envelope("console_event", {
              method: "log",
              args: [{ type: "string", value: `line ${i} ${"x".repeat(200)}` }],
            }),
          );
          client.socket.send(JSON.stringify(lines));
        }
        if (batch % 20 === 19) await Promise.all(clients.map((client) => client.settled()));
      }
    };
    await stream(100);
    const before = (await hub.usage()).heapUsed;
    await stream(150);
    const after = (await hub.usage()).heapUsed;
    // 90,000 further events of more than 300 bytes: all of them kept would be more than 27 MB.
    expect(after - before).toBeLessThan(10e6);
  });
});
