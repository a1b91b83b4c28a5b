import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { debugPaths, readSessions } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { start, temporaryFolder, until } from "../../fixtures.js";
import { eventsOf } from "../../support/agents/agents.js";

/** Calls tools without end until it is asked to stop; then prints what became of its breakpoint. */
const SCRIPT = `
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createAgentDebugger } from "@debug-bridge/agent";
const debug = createAgentDebugger({ home: process.env.DEBUG_BRIDGE_HOME });
const give = (line) => appendFileSync(join(debug.folder, "commands.jsonl"), JSON.stringify(line) + "\\n");
give({ type: "breakpoint", id: "1", data: { action: "add", on: "pattern", regex: "never [0-9]{9}" } });
process.stdout.write("ready\\n");
let going = true;
process.once("SIGTERM", () => { going = false; });
const input = { text: "almost never ".repeat(2000) + "1" };
for (let i = 0; going; i++) {
  await debug.beforeToolCall({ toolId: "t" + i, name: "x", input: { ...input, i } });
  await debug.afterToolCall({ toolId: "t" + i, name: "x" });
  if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
debug.close();
process.stdout.write("done\\n");
`;

describe("an agent on a busy machine", () => {
  it("keeps its breakpoints: time during which the process did not run does not count against a pattern", async () => {
    const home = temporaryFolder();
    const agent = start(process.execPath, ["--input-type=module", "-e", SCRIPT], { DEBUG_BRIDGE_HOME: home });
    await until(() => agent.output.stdout.includes("ready"));
    for (let round = 0; round < 15; round++) {
      await sleep(20);
      agent.child.kill("SIGSTOP");
      await sleep(80);
      agent.child.kill("SIGCONT");
    }
    agent.child.kill("SIGTERM");
    const { stdout } = await agent.finished;
    expect(stdout).toContain("done");
    const [session] = readSessions(home);
    const errors = eventsOf(join(debugPaths(home).sessions, session?.id ?? "")).filter(
      ({ type }) => type === "error",
    );
    expect(errors).toEqual([]);
  });
});
