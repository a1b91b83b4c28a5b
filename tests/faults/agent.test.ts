import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, start, temporaryFolder, until } from "../fixtures.js";
import { testHub } from "../support/hub/hub.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { LineReader, WritingApp } from "./support/numbered-lines.js";
import { readFile } from "./support/read-file.js";

test("agents that are killed at random moments lose no act and no event, and leave the session to the next", async () => {
  const log = new FaultLog("agent", "acts and events of the agent");
  const random = randomNumbers();
  const hub = await testHub();
  const home = temporaryFolder();
  const writing = new WritingApp([hub.url], "shop", 20);
  await writing.connected();
  const reader = new LineReader(hub, writing);
  const done = (): string[] => writing.app.commands.map(({ target }) => (target as { text: string }).text);
  const program = join(ROOT, "tests/faults/support/acting-agent.mjs");
  for (let round = 0; round < rounds(2, 40); round++) {
    const name = `agent-${round}`;
    const agent = start(process.execPath, [program, hub.url, hub.token, "shop", name, home]);
    await log.recover(() =>
      until(() => {
        if (agent.child.exitCode !== null) throw new Error(agent.output.stderr);
        return agent.output.stdout.includes("\n");
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    agent.child.kill("SIGKILL");
    const { stdout } = await agent.finished;
    log.count("an agent killed");
    const printed = stdout.split("\n").slice(0, -1);
    const [id] = (printed[0] ?? "").split(" ");
    const acknowledged = printed.map((line) => line.slice(line.indexOf(" ") + 1));
    const acts = done().filter((act) => act.startsWith(`${name} `));
    log.acknowledge(2 * acknowledged.length);
    log.lose(...acknowledged.filter((act) => !acts.includes(act)));
    if (new Set(acts).size !== acts.length) log.lose(`${name} did something twice`);
    // At most the one that ran when it was killed.
    expect(acts.length - acknowledged.length).toBeLessThanOrEqual(1);
    const events = readFile(join(home, "debug/sessions", id as string, "events.jsonl"));
    log.lose(...acknowledged.filter((act) => !events.includes(JSON.stringify({ input: act }))));
  }
  expect(readdirSync(join(home, "debug/sessions")).length).toBeGreaterThan(0);
  writing.stop();
  await reader.check(log);
  log.finish();
});
