import { onTestFinished, test } from "vitest";
import { startNats } from "../support/bus/nats.js";
import { type HubProcess, startHubs } from "../support/hub/hub-processes.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { Actor } from "./support/actor.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { LineReader, WritingApp } from "./support/numbered-lines.js";

test("hubs whose only NATS server is killed at random moments lose no line and no act, and do none twice [ARC-115]", async () => {
  const log = new FaultLog("nats", "acts and lines");
  const random = randomNumbers();
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  const [a, b] = (await startHubs(`${nats.url}/faults`, ["a", "b"])) as [HubProcess, HubProcess];
  const { token } = a;
  const writing = new WritingApp([a.ready.hub, b.ready.hub], "shop", 25);
  await writing.connected();
  const reader = new LineReader({ url: b.ready.hub, token }, writing);
  const actors = [a, b].map(
    ({ ready }, i) => new Actor(`actor-${i}`, { hub: ready.hub, token, session: "shop", pauseMs: 100 }),
  );
  const acting = (): Promise<unknown> => Promise.all(actors.map((actor) => actor.succeeds()));
  await acting();
  for (let round = 0; round < rounds(1, 16); round++) {
    await new Promise((resolve) => setTimeout(resolve, random() * 500));
    await nats.restart();
    log.count("a NATS server killed and started again");
    await log.recover(acting);
  }
  for (const actor of actors) await actor.end();
  writing.stop();
  await reader.check(log);
  for (const actor of actors) actor.check(log, writing.app.commands);
  log.finish();
});
