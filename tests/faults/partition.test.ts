import { onTestFinished, test } from "vitest";
import { until } from "../fixtures.js";
import { startNats } from "../support/bus/nats.js";
import { type HubProcess, newToken, startHub } from "../support/hub/hub-processes.js";
import { TcpProxy } from "../support/hub/tcp-proxy.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { Actor } from "./support/actor.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { LineReader, WritingApp } from "./support/numbered-lines.js";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A hub counts as gone after three seconds without a sign of life. */
const SHORT_MS = 1_000;
const LONG_MS = 4_500;

test("hubs that receive nothing from each other for a time lose no line and no act, and do none twice", async () => {
  const log = new FaultLog("partition", "acts and lines");
  const random = randomNumbers();
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  const token = newToken();
  const ways = [await TcpProxy.to(new URL(nats.url).port), await TcpProxy.to(new URL(nats.url).port)];
  const hubs = (await Promise.all(
    ways.map((way, i) => startHub(`${way.through(nats.url)}/faults`, `hub-${i}`, { token })),
  )) as [HubProcess, HubProcess];
  const urls = hubs.map(({ ready }) => ready.hub);
  const writing = new WritingApp(urls, "shop", 25);
  await writing.connected();
  const reader = new LineReader({ url: urls[1] as string, token }, writing);
  const actors = urls.map((hub, i) => new Actor(`actor-${i}`, { hub, token, session: "shop", pauseMs: 100 }));
  const acting = (): Promise<unknown> => Promise.all(actors.map((actor) => actor.succeeds()));
  await acting();
  const kinds = [
    { name: "a hub refused by NATS for 1 s", isSilent: false, ms: SHORT_MS },
    { name: "a hub that receives nothing from NATS for 4.5 s", isSilent: true, ms: LONG_MS },
    { name: "a hub refused by NATS for 4.5 s", isSilent: false, ms: LONG_MS },
    { name: "a hub that receives nothing from NATS for 1 s", isSilent: true, ms: SHORT_MS },
  ];
  for (let round = 0; round < rounds(1, 24); round++) {
    const { name, isSilent, ms } = kinds[round % kinds.length] as (typeof kinds)[number];
    const way = ways[Math.floor(random() * 2)] as TcpProxy;
    if (isSilent) way.silence();
    else way.cut(false);
    await pause(ms);
    way.heal();
    log.count(name);
    await log.recover(acting);
  }
  for (const actor of actors) await actor.end();
  writing.stop();
  await until(() => writing.app.connections > 0);
  await reader.check(log);
  for (const actor of actors) actor.check(log, writing.app.commands);
  log.finish();
});
