import { expect, test } from "vitest";
import { until } from "../fixtures.js";
import { testHub } from "../support/hub/hub.js";
import { TcpProxy } from "../support/hub/tcp-proxy.js";
import { WireClient } from "../support/hub/wire-client.js";
import { isLong, randomNumbers } from "../support/machine/long-mode.js";
import { Actor } from "./support/actor.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { compareLines, LineReader, numberIn, WritingApp } from "./support/numbered-lines.js";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Bytes in a second: below what the app writes. */
const SLOW = 4_000;

test("an app behind a bad network loses no line, and no act is lost or done twice", async () => {
  const log = new FaultLog("sockets", "acts and lines");
  const random = randomNumbers();
  const hub = await testHub();
  const proxy = await TcpProxy.to(new URL(hub.url).port);
  const writing = new WritingApp([proxy.through(hub.url)], "shop");
  await writing.connected();
  const reader = new LineReader(hub, writing);
  const actor = new Actor("actor", { hub: hub.url, token: hub.token, session: "shop" });
  const faults: Record<string, () => Promise<void>> = {
    "a half-open socket": async () => proxy.leaveHalf(),
    "a cut connection": async () => proxy.cut(),
    "a silent network": async () => {
      proxy.silence();
      await pause(200 + random() * 300);
      proxy.heal();
    },
    "a silent network, then cut": async () => {
      proxy.silence();
      await pause(200 + random() * 300);
      proxy.cut();
      proxy.heal();
    },
    "a slow network": async () => {
      proxy.slow(SLOW);
      await pause(500);
      proxy.slow(Number.POSITIVE_INFINITY);
    },
  };
  const names = Object.keys(faults);
  for (let round = 0; round < rounds(6, 12); round++) {
    const name = names[round < names.length ? round : Math.floor(random() * names.length)] as string;
    await actor.succeeds();
    await pause(random() * 50);
    await faults[name]?.();
    log.count(name);
    await log.recover(() => actor.succeeds());
  }
  await actor.end();
  writing.stop();
  await reader.check(log);
  actor.check(log, writing.app.commands);

  await slowReader(log, hub.url, hub.token);
  if (isLong) await silentForLong(log, proxy, hub.url, hub.token);
  log.finish();
});

/** An agent that reads slower than the app writes gets every line, while others wait for nothing. */
async function slowReader(log: FaultLog, url: string, token: string): Promise<void> {
  const proxy = await TcpProxy.to(new URL(url).port);
  proxy.slow(100_000);
  const writing = new WritingApp([url], "busy", 2, 1_000);
  const options = { role: "agent", sessionId: "busy", token } as const;
  const slow = await WireClient.connect(proxy.through(url), options);
  const quick = await WireClient.connect(url, options);
  const linesOf = ({ received }: WireClient): number[] =>
    received.filter(({ type }) => type === "console").map(numberIn);
  await until(() => writing.written >= 300);
  writing.stop();
  await until(() => linesOf(quick).includes(writing.written));
  await log.recover(() => until(() => linesOf(slow).includes(writing.written)));
  log.count("a slow reader");
  const [first = 1] = linesOf(slow);
  compareLines(
    log,
    linesOf(slow).map((line) => line - first + 1),
    writing.written - first + 1,
  );
}

/** The hub itself finds out that nobody answers; the page comes back with what it wrote meanwhile. */
async function silentForLong(log: FaultLog, proxy: TcpProxy, url: string, token: string): Promise<void> {
  const writing = new WritingApp([proxy.through(url)], "silent", 100);
  await writing.connected();
  const reader = new LineReader({ url, token }, writing);
  const agent = await WireClient.connect(url, { role: "agent", sessionId: "silent", token });
  await agent.next("session_status", ({ status }) => status === "connected");
  proxy.silence();
  await agent.next("session_status", ({ status }) => status === "disconnected");
  expect((await agent.command({ type: "click", target: { text: "Save" } })).success).toBe(false);
  proxy.cut();
  proxy.heal();
  await log.recover(() => writing.connected(2));
  log.count("a network that stays silent");
  writing.stop();
  await reader.check(log);
}
