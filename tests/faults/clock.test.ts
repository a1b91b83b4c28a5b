import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, temporaryFolder, until } from "../fixtures.js";
import { TestBuses } from "../support/bus/bus.js";
import { type HubProcess, newToken, startHub } from "../support/hub/hub-processes.js";
import { WireClient } from "../support/hub/wire-client.js";
import { Actor } from "./support/actor.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { LineReader, WritingApp } from "./support/numbered-lines.js";
import { readFile } from "./support/read-file.js";

const HOUR = 3_600_000;
const JUMPS = [
  { name: "the clock of a hub set an hour forward", ms: HOUR },
  { name: "the clock of a hub set an hour back", ms: -HOUR },
  { name: "the clock of a hub set a year forward", ms: 365 * 24 * HOUR },
  { name: "the clock of a hub set a year back", ms: -365 * 24 * HOUR },
];

/** A hub whose clock can be set. */
async function startWithClock(
  bus: string,
  token: string,
): Promise<HubProcess & { jump(ms: number): Promise<void> }> {
  const file = join(temporaryFolder(), "clock");
  const preload = pathToFileURL(join(ROOT, "tests/support/machine/clock-shift.mjs")).href;
  const hub = await startHub(bus, "a", {
    token,
    env: { CLOCK_FILE: file, NODE_OPTIONS: `--import=${preload}` },
  });
  let shift = 0;
  return {
    ...hub,
    async jump(ms) {
      shift += ms;
      writeFileSync(file, String(shift));
      hub.kill("SIGUSR2");
      await until(() => readFile(`${file}.done`) === String(shift));
    },
  };
}

test("a hub whose clock is set keeps its sessions, their leases and their records", async () => {
  const log = new FaultLog("clock", "acts and lines");
  const buses = new TestBuses();
  await buses.start();
  onTestFinished(() => buses.stop());
  const [bus, token] = [buses.address(), newToken()];
  const a = await startWithClock(bus, token);
  const b = await startHub(bus, "b", { token });
  const writing = new WritingApp([a.ready.hub], "shop");
  await writing.connected();
  const options = { role: "agent", sessionId: "shop", token } as const;
  const holder = await WireClient.connect(a.ready.hub, options);
  const other = await WireClient.connect(a.ready.hub, options);
  const lease = { type: "acquire_lease", owner: "Ann", ttlMs: 60_000 };
  expect(await holder.command(lease)).toMatchObject({ success: true });
  const free = new WritingApp([a.ready.hub], "free");
  await free.connected();
  const apps = [writing, free];
  const readers = apps.map((each) => new LineReader({ url: b.ready.hub, token }, each));
  const actor = new Actor("actor", { hub: b.ready.hub, token, session: "free" });
  await actor.succeeds();
  let shift = 0;
  for (let round = 0; round < rounds(4, 40); round++) {
    const { name, ms } = JUMPS[round % JUMPS.length] as (typeof JUMPS)[number];
    await a.jump(ms);
    log.count(name);
    await log.recover(() => actor.succeeds());
    // The lease is neither over nor renewed by the jump.
    expect(await other.command({ type: "click", target: { text: "Save" } })).toMatchObject({
      error: "lease_held",
    });
    const renewed = await holder.command(lease);
    expect(renewed).toMatchObject({ success: true });
    // Clients see its end on the hub's clock, which did jump.
    shift += ms;
    const { until: end } = renewed.value as { until: number };
    expect(Math.abs(end - Date.now() - shift - lease.ttlMs)).toBeLessThan(30_000);
  }
  await actor.end();
  for (const each of apps) {
    each.stop();
    // Nobody was disconnected, and no other hub took the session over.
    expect(each.app.connections).toBe(1);
  }
  for (const reader of readers) await reader.check(log);
  actor.check(log, free.app.commands);
  log.finish();
});
