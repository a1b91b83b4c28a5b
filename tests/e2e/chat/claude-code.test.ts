import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { claudeHub } from "../../support/agents/claude.js";
import { payloads, textOf } from "../../support/chat/chat.js";

describe("a chat with the real Claude Code", () => {
  it("uses our tools, keeps the usage, and continues its own thread", async () => {
    const { hub, model, calls } = await claudeHub([
      { tool: "mcp__debug-bridge__sessions", input: {} },
      { text: "Nothing is connected yet." },
      { text: "Still nothing." },
    ]);
    const chat = await hub.create({ provider: "claude-code", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "What is connected?"));
    expect(textOf(events)).toBe("Nothing is connected yet.");
    expect(payloads(events, "run.step")).toContainEqual(
      expect.objectContaining({
        kind: "tool",
        title: "debug-bridge: sessions",
        status: "done",
        detail: expect.stringContaining("[page"),
      }),
    );
    const usage = { inputTokens: 24, outputTokens: expect.any(Number), contextTokens: 12 };
    expect(payloads(events, "run.usage")).toMatchObject([{ provider: "claude-code", usage }]);
    const more = await hub.ended(chat.id, await hub.say(chat.id, "-- And now?"));
    expect(textOf(more)).toBe("Still nothing.");
    const [{ sessionId: thread } = { sessionId: "" }] = payloads(events, "run.provider_session");
    expect(calls()[1]?.slice(-2)).toEqual(["--resume", thread]);
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(sent).toContain("What is connected?");
    expect(sent).toContain("-- And now?");
  });

  it("is debugged while it runs: paused at a tool, seen on the timeline, and resumed", async () => {
    let begin = (): void => {};
    const canBegin = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const turns = [{ tool: "mcp__debug-bridge__sessions", input: {} }, { text: "Done." }];
    const { hub } = await claudeHub(turns, () => canBegin);
    const chat = await hub.create({ provider: "claude-code", cwd: temporaryFolder() });
    const runId = await hub.say(chat.id, "Look");
    const agent = await until(async () =>
      payloads(await hub.events(chat.id), "run.step").find(({ kind }) => kind === "agent"),
    );
    const id = agent.detail ?? "";
    const control = (type: string, data: object = {}): Promise<unknown> =>
      hub.json(`/v1/sessions/${id}/commands`, "POST", { type, data });
    await until(async () => (await hub.call(`/v1/sessions/${id}`)).ok);
    await control("breakpoint", { action: "add", on: "tool", name: "mcp__debug-bridge__sessions" });
    begin();
    const types = async (): Promise<string[]> =>
      (await hub.json(`/v1/sessions/${id}/events`)).events.map(({ type }: { type: string }) => type);
    await until(async () => (await types()).includes("breakpoint_hit"));
    expect((await hub.json(`/v1/chats/${chat.id}`)).runId).toBe(runId);
    expect(JSON.stringify(await control("inspect"))).toContain("mcp__debug-bridge__sessions");
    await control("resume");
    expect(textOf(await hub.ended(chat.id, runId))).toBe("Done.");
    expect(await types()).toContain("tool_call_end");
  });

  it("starts a new thread with a summary when Claude Code no longer knows the old one", async () => {
    const { hub, model, config } = await claudeHub([{ text: "The code is 4711." }, { text: "It was 4711." }]);
    const chat = await hub.create({ provider: "claude-code", cwd: temporaryFolder() });
    await hub.ended(chat.id, await hub.say(chat.id, "Remember a code"));
    for (const name of readdirSync(config)) rmSync(join(config, name), { recursive: true, force: true });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "Which code?"));
    expect(payloads(events, "run.step")).toContainEqual(
      expect.objectContaining({
        kind: "notice",
        title: expect.stringContaining("no longer knows this conversation"),
      }),
    );
    expect(textOf(events)).toBe("It was 4711.");
    // Claude Code asks the model for other things as well, such as a title.
    const asked = model.requests.map(({ body }) => JSON.stringify(body.messages));
    const after = asked.filter((messages) => messages.includes("Which code?"));
    expect(after.some((messages) => messages.includes("The code is 4711."))).toBe(true);
  });
});
