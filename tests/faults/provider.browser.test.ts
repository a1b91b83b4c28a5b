import { execFileSync } from "node:child_process";
import { HubClient } from "@debug-bridge/client";
import { expect, onTestFinished, test } from "vitest";
import { servePage } from "../e2e/hub/stage.js";
import { startUp, temporaryFolder, until } from "../fixtures.js";
import { browsersWith } from "../support/chrome/chrome-processes.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { readFile } from "./support/read-file.js";
import { startWitness } from "./support/witness.js";

const BUTTON = (witness: string): string => `<!doctype html><title>Faults</title>
  <button onclick="const call = new XMLHttpRequest(); call.open('GET', '${witness}/click', false); call.send()">Go</button>`;

/** The processes of pages below a browser. */
function renderersOf(browser: number): number[] {
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,pgid=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, group] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? [];
    return Number(group) === browser && line.includes("--type=renderer") ? [Number(pid)] : [];
  });
}

test("a launched Chrome that is killed at random moments is replaced, and no click is lost or done twice", async () => {
  const log = new FaultLog("provider", "clicks");
  const random = randomNumbers();
  const witness = await startWitness();
  const folder = temporaryFolder();
  const start = () => startUp(["--browsers", "1"], folder, { TMPDIR: folder });
  let hub = await start();
  const token = readFile(hub.ready.tokenFile).trim();
  const client = new HubClient({ hub: async () => ({ url: hub.ready.hub, token }) as never, name: "tester" });
  onTestFinished(() => client.close());
  const url = await servePage(BUTTON(witness.url), "");
  const faults: Record<string, () => Promise<void>> = {
    "Chrome killed": async () => {
      for (const pid of browsersWith(folder)) kill(pid);
    },
    "the process of its page killed": async () => {
      for (const browser of browsersWith(folder)) for (const pid of renderersOf(browser)) kill(pid);
    },
    "its hub killed": async () => {
      hub.child.kill("SIGKILL");
      await hub.finished;
      await until(() => browsersWith(folder).length === 0);
      hub = await start();
    },
  };
  const names = Object.keys(faults);
  for (let round = 0; round < rounds(3, 18); round++) {
    let session = "";
    await log.recover(async () => {
      ({ session } = (await client.post("/v1/browsers", {})) as { session: string });
      await client.command(session, { type: "navigate", url });
    });
    const click = (): Promise<boolean> =>
      client.command(session, { type: "click", target: { text: "Go" } }).then(
        ({ success }) => success === true,
        () => false,
      );
    const first = witness.times("click");
    expect(await click()).toBe(true);
    log.acknowledge(1);
    const before = witness.times("click");
    if (before - first !== 1) log.lose(`the first click of round ${round} was done ${before - first} times`);
    const clicked = click();
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    const name = names[round % names.length] as string;
    await faults[name]?.();
    log.count(name);
    const isAcknowledged = await clicked;
    const done = witness.times("click") - before;
    if (isAcknowledged) log.acknowledge(1);
    if (isAcknowledged && done === 0) log.lose(`click ${round} was acknowledged and not done`);
    if (done > 1) log.lose(`click ${round} was done ${done} times`);
    await client.delete(`/v1/sessions/${session}/browser`).catch(() => {});
  }
  hub.child.kill("SIGTERM");
  await hub.finished;
  await until(() => browsersWith(folder).length === 0);
  log.finish();
});

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
