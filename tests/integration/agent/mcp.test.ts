import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents/agents.js";
import { testHub } from "../../support/hub/hub.js";

describe("commands to an agent over MCP", () => {
  it("work as through its files, and are refused with advice", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(100_000));
    await until(
      async () =>
        ((await (await hub.api("/v1/sessions")).json()) as { sessions: unknown[] }).sessions.length === 1,
    );
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [CLI, "mcp"],
        env: {
          ...(process.env as Record<string, string>),
          DEBUG_BRIDGE_HOME: hub.home,
          DEBUG_BRIDGE_HUB: hub.url,
        },
      }),
    );
    onTestFinished(() => client.close());
    const control = async (type: string, data?: object): Promise<{ text: string; isError: boolean }> => {
      const { content, isError = false } = await client.callTool({
        name: "control",
        arguments: { type, data },
      });
      return { text: (content as { text: string }[])[0]?.text ?? "", isError: isError === true };
    };
    await control("pause");
    await agent.seen("paused");
    expect((await control("inspect", { what: "messages" })).text).toContain('"do it"');
    expect((await control("inject_message", { role: "user", content: "hi" })).isError).toBe(false);
    expect((await control("breakpoint", { action: "add", on: "iteration", count: 9 })).text).toContain(
      "bp-1",
    );
    expect(await control("cancel_tool", { toolId: "none" })).toMatchObject({
      isError: true,
      text: expect.stringContaining('tool call "none" is not held or running'),
    });
    expect((await control("step")).isError).toBe(false);
    await agent.seen("step_complete");
    await control("resume");
    await agent.seen("resumed", 2);
    await until(() => hub.audit().includes('"what":"pause"'));
  });
});
