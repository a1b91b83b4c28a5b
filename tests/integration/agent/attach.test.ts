import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT, temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents.js";

function startAttach(home: string): {
  type(line: string): void;
  output(): string;
  code: Promise<number | null>;
} {
  const child = spawn(process.execPath, [join(ROOT, "packages/cli/dist/main.js"), "attach"], {
    env: { ...process.env, NO_COLOR: "1", DEBUG_BRIDGE_HOME: home },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return {
    type: (line) => child.stdin.write(`${line}\n`),
    output: () => output,
    code: new Promise((resolve) => child.on("close", resolve)),
  };
}

describe("debug-bridge attach", () => {
  it("shows what the agent does and takes commands, in one view [AGT-050]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(2_000));
    const view = startAttach(home);
    await until(() => view.output().includes(`attached to ${agent.id}`));
    await until(() => view.output().includes("api_request"));
    view.type("pause");
    await until(() => view.output().includes("Agent paused"));
    expect(view.output()).toContain("✓ pause");
    view.type('inject user "Look at the coupon first."');
    view.type("inspect messages");
    await until(() => view.output().includes("Look at the coupon first."));
    view.type("breakpoint add error");
    await until(() => view.output().includes("bp-1"));
    view.type("dance");
    await until(() => view.output().includes("unknown command 'dance'"));
    view.type("cancel call_9");
    await until(() => view.output().includes('no tool call "call_9"'));
    view.type("resume");
    await until(() => view.output().includes("Agent resumed"));
    view.type("quit");
    expect(await view.code).toBe(0);
    expect(agent.child.exitCode).toBeNull();
  });

  it("ends with the session", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(3), ["--pause"]);
    const view = startAttach(home);
    await until(() => view.output().includes("attached"));
    view.type("resume");
    expect(await view.code).toBe(0);
    expect(view.output()).toContain("session_end");
    expect((await agent.finished).code).toBe(0);
  });
});
