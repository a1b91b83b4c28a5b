import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, startUp, until } from "../fixtures.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { Actor } from "./support/actor.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { compareLines, LineReader, numberIn, WritingApp } from "./support/numbered-lines.js";
import { readFile } from "./support/read-file.js";
import { mountSmallDisk } from "./support/small-disk.js";

const MEGABYTES = 24;

/** The whole lines of a file; the part of a line that a full disk took is none. */
function recordsIn(file: string): { type?: string; target?: { text: string } }[] {
  return readFile(file)
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function recordings(home: string): string[] {
  const folder = join(home, "debug/sessions");
  return readdirSync(folder).map((name) => join(folder, name));
}

test("a hub whose disk is full goes on, and writes what it recorded and audited once there is room again", async ({
  skip,
}) => {
  const disk = mountSmallDisk(MEGABYTES);
  if (!disk) return skip("only root can mount a small disk");
  const log = new FaultLog("disk", "acts and lines");
  const random = randomNumbers();
  const { ready, child, finished, output } = await startUp(["--record"], disk.path);
  const token = readFile(ready.tokenFile).trim();
  const writing = new WritingApp([ready.hub], "shop", 5, 300);
  await writing.connected();
  const reader = new LineReader({ url: ready.hub, token }, writing);
  const actor = new Actor("actor", { hub: ready.hub, token, session: "shop", pauseMs: 10 });
  await actor.succeeds();
  for (let round = 0; round < rounds(2, 20); round++) {
    disk.fill();
    // A recording that begins now has no folder yet.
    const late = new WritingApp([ready.hub], `late-${round}`, 50);
    await late.connected();
    await log.recover(() => actor.succeeds(5));
    await new Promise((resolve) => setTimeout(resolve, 300 + random() * 500));
    disk.free();
    log.count("a full disk");
    await until(() =>
      recordings(disk.path).some((path) => readFile(join(path, "session.json")).includes(`late-${round}`)),
    );
    late.stop();
  }
  await actor.end();
  writing.stop();
  await reader.check(log);
  child.kill("SIGTERM");
  expect((await finished).code).toBe(0);
  const [folder, ...more] = recordings(disk.path).filter((path) =>
    readFile(join(path, "session.json")).includes('"shop"'),
  );
  expect(more).toEqual([]);
  const events = recordsIn(join(folder as string, "events.jsonl"));
  expect(events.filter(({ type }) => type === "gap")).toEqual([]);
  compareLines(log, events.filter(({ type }) => type === "console").map(numberIn), writing.written);
  // Every folder is complete.
  for (const path of recordings(disk.path))
    expect(readFile(join(path, "session.json"))).toContain('"endTime"');
  const audited = recordsIn(join(disk.path, "audit.jsonl")).map(({ target }) => target?.text);
  log.acknowledge(actor.acknowledged.length);
  log.lose(...actor.acknowledged.filter((act) => audited.filter((text) => text === act).length !== 1));
  actor.check(log, writing.app.commands);
  expect(output.stderr).toContain("recording failed: ENOSPC");
  log.finish();
});

test("a hub that finds no room at its start says so and ends", async ({ skip }) => {
  const disk = mountSmallDisk(1);
  if (!disk) return skip("only root can mount a small disk");
  disk.fill();
  const { code, stderr } = await runCli(["up", "--port", "0", "--console-port", "0", "--relay-port", "0"], {
    DEBUG_BRIDGE_HOME: join(disk.path, "home"),
  });
  expect(code).toBe(1);
  expect(stderr).toContain("no space left on device");
});
