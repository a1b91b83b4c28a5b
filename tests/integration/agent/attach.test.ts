import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents/agents.js";
import { CLI_MODULES, loadedModules } from "../../support/hub/loaded-modules.js";
import { type Pty, startPty } from "../../support/machine/pty.js";

function startAttach(home: string): {
  type(line: string): void;
  output(): string;
  code: Promise<number | null>;
} {
  const child = spawn(process.execPath, [CLI, "agent", "attach"], {
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

describe("debug-bridge agent attach", () => {
  it("shows what the agent does and accepts commands, in one view [AGT-050]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(2_000));
    const view = startAttach(home);
    await until(() => view.output().includes(`attached to ${agent.id}`));
    await until(() => view.output().includes("api_request"));
    view.type("pause");
    await until(() => view.output().includes("Agent paused"));
    await until(() => view.output().includes("✓ pause"));
    view.type('inject user "Look at the coupon first."');
    view.type("inspect messages");
    await until(() => view.output().includes("Look at the coupon first."));
    view.type("breakpoint add error");
    await until(() => view.output().includes("bp-1"));
    view.type("dance");
    await until(() => view.output().includes("unknown command 'dance'"));
    view.type("cancel call_9");
    await until(() => view.output().includes('tool call "call_9"'));
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

describe("debug-bridge agent attach on a terminal", () => {
  const attach = (home: string, columns?: number, rows?: number): Pty =>
    startPty(
      `"${process.execPath}" "${CLI}" agent attach`,
      { DEBUG_BRIDGE_HOME: home, CI: "true" },
      columns,
      rows,
    );
  const shows = (view: Pty, text: string): Promise<unknown> =>
    until(() => view.screen().join("\n").includes(text));

  it("is a screen of 80x24 with timeline, state, messages, breakpoints and keys [AGT-050]", async () => {
    const home = temporaryFolder();
    const turns = Array.from({ length: 2_000 }, (_, i) => [
      { text: `turn ${i}, ${"and so on ".repeat(20)}`, delayMs: 20 },
      { tool: "list_files", input: { path: "." } },
    ]).flat();
    const agent = await startAgent(home, turns);
    const view = attach(home);
    await shows(view, "● running");
    await shows(view, "tool_call_start");
    view.type("p");
    await shows(view, "● paused: pause");
    // A screen that is being drawn is not the screen: it counts once all of it stands.
    const parts = [agent.id, "api_request", "messages ", "breakpoints", "p pause", "q quit"];
    const lines = await until(() => {
      const now = view.screen();
      const fits = now.length <= 24 && now.every((line) => [...line].length <= 80);
      return fits && parts.every((part) => now.join("\n").includes(part)) && now;
    });
    expect(lines.length).toBeGreaterThan(20);
    // Typed faster than it is drawn, as a paste is.
    view.type("btool list_files\r");
    await shows(view, "bp-1 tool list_files");
    view.type("mLook at the coupon first.\r");
    await shows(view, "user: Look at the coupon first.");
    view.type("r");
    await shows(view, "● paused: breakpoint bp-1");
    const { toolId } = (await agent.seen("breakpoint_hit")).data.toolCall;
    await shows(view, toolId);
    view.type("einput.path src\r");
    await until(() => agent.events().some(({ data }) => data.type === "set_variable" && data.success));
    view.type("v");
    await shows(view, "(edited)");
    view.type("v");
    // The input is edited where it is: without the last two characters, and with others.
    view.type("u");
    await shows(view, 'input of the held call: {"path":"src"}');
    view.type("\u007f");
    await shows(view, 'held call: {"path":"src"▏');
    view.type("\u007f");
    await shows(view, 'held call: {"path":"src▏');
    view.type('/shop"}\r');
    await until(() => agent.events().some(({ data }) => data.data?.input?.path === "src/shop"));
    view.type("v");
    await shows(view, "held: list_files");
    await shows(view, '"path": "src/shop"');
    view.type("v");
    view.type("c");
    await agent.seen("checkpoint");
    view.type("ncp-1\r");
    await agent.seen("branch");
    view.type("x");
    await until(() => agent.events().some(({ data }) => data.type === "cancel_tool" && data.success));
    view.type("dbp-9\r");
    await shows(view, 'breakpoint "bp-9" does not exist');
    view.type("dall\r");
    await until(() => !view.screen().join("\n").includes("bp-1 tool"));
    view.type("q");
    expect(await view.code).toBe(0);
    expect(view.raw()).toContain("\u001b[?1049l");
    expect(agent.child.exitCode).toBeNull();
  });

  it("fits other sizes, and stays when the agent has ended", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(3), ["--pause"]);
    const view = attach(home, 120, 40);
    await shows(view, "● paused");
    await until(() => Math.max(...view.screen().map((line) => [...line].length)) === 120);
    view.type("r");
    await agent.finished;
    await shows(view, "● the session");
    await shows(view, "session_end");
    view.type("q");
    expect(await view.code).toBe(0);
  });

  it("loads the screen only on a terminal", async () => {
    const home = temporaryFolder();
    await startAgent(home, busyTurns(100), ["--pause"]);
    const modules = await loadedModules([CLI_MODULES, "agent", "attach"], {
      DEBUG_BRIDGE_HOME: home,
    });
    expect(modules.some((url) => url.endsWith("/attach/plain.js"))).toBe(true);
    expect(modules.filter((url) => /\/(vendor|node_modules)\/(ink|react)/.test(url))).toEqual([]);
  });
});
