import { join } from "node:path";
import { HubClient } from "@debug-bridge/client";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, type Started, start, startUp, until } from "../fixtures.js";
import { isLong, randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { readFile } from "./support/read-file.js";

const COUNT = isLong ? 10_000 : 1_000;
const COMMANDS = isLong ? 1_000 : 100;

interface Apps extends Started {
  state(): { connected: number; acted: number };
}

function startApps(hub: string, token: string): Apps {
  const started = start(process.execPath, [
    join(ROOT, "tests/faults/support/many-apps.mjs"),
    hub,
    token,
    String(COUNT),
  ]);
  const state = (): { connected: number; acted: number } => {
    const line = started.output.stdout.trimEnd().split("\n").at(-1);
    return line ? JSON.parse(line) : { connected: 0, acted: 0 };
  };
  return { ...started, state };
}

test(`a hub serves ${COUNT} connections, and is there when all of them end at once`, async () => {
  const log = new FaultLog("connections", "acts and lines");
  const random = randomNumbers();
  const { ready } = await startUp();
  const token = readFile(ready.tokenFile).trim();
  const hub = new HubClient({ hub: ready.hub, token, name: "tester" });
  onTestFinished(() => hub.close());
  for (let round = 0; round < rounds(1, 3); round++) {
    const apps = startApps(ready.hub, token);
    await log.recover(() =>
      until(() => {
        if (apps.child.exitCode !== null) throw new Error(apps.output.stderr);
        return apps.state().connected === COUNT;
      }),
    );
    const listed = (await hub.sessions()).filter(({ connected, sequence }) => connected && sequence >= 2);
    expect(listed).toHaveLength(COUNT);
    log.acknowledge(listed.length);
    const before = apps.state().acted;
    for (let sent = 0; sent < COMMANDS; sent += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const session = `s${Math.floor(random() * COUNT)}`;
          const { success } = await hub.command(session, { type: "click", target: { text: "Save" } });
          expect(success).toBe(true);
        }),
      );
    log.acknowledge(COMMANDS);
    await until(() => apps.state().acted >= before + COMMANDS);
    expect(apps.state().acted).toBe(before + COMMANDS);
    apps.child.kill("SIGKILL");
    await apps.finished;
    log.count(`${COUNT.toLocaleString("en")} connections, then killed at once`);
    await until(async () => !(await hub.sessions()).some(({ connected }) => connected));
  }
  log.finish();
});
