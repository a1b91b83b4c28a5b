import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../fixtures.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../support/agents/model-server.js";
import { type ChatHub, payloads, startChatHub, textOf } from "../support/chat/chat.js";

/** A hub whose Gemini CLI has a separate home, and a stand-in as its model. */
async function geminiHub(turns: readonly ModelTurn[]): Promise<{ hub: ChatHub; model: ModelServer }> {
  const model = await startModelServer(turns);
  const [home, own] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(own, ".gemini"));
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(own, ".gemini/settings.json"), JSON.stringify(settings));
  const env = {
    GEMINI_CLI_HOME: own,
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  const agent = { command: "gemini", args: ["--acp", "--model", "gemini-2.5-pro"], env };
  writeFileSync(join(home, "acp-agents.json"), JSON.stringify({ gemini: agent }));
  return { hub: await startChatHub(home), model };
}

describe("a chat with the real Gemini CLI, over the Agent Client Protocol", () => {
  it("uses our tools, and continues its own thread without repeating what was said", async () => {
    const { hub, model } = await geminiHub([
      { tool: "mcp_debug-bridge_sessions", input: {} },
      { text: "Nothing is connected yet." },
      { text: "Still nothing." },
    ]);
    const chat = await hub.create({ provider: "acp:gemini", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "What is connected?"));
    const began = new Date().toISOString().slice(0, 16);
    expect(textOf(events)).toBe("Nothing is connected yet.");
    expect(payloads(events, "run.step")).toContainEqual(
      expect.objectContaining({
        ...{ kind: "tool", title: "sessions (debug-bridge MCP Server)", status: "done" },
        detail: expect.stringContaining("[page"),
      }),
    );
    // Gemini CLI 0.61 empties a thread that it loads in the minute in which the thread began.
    await until(() => new Date().toISOString().slice(0, 16) !== began);
    const more = await hub.ended(chat.id, await hub.say(chat.id, "And now?"));
    expect(textOf(more)).toBe("Still nothing.");
    expect(payloads(more, "run.step").filter(({ kind }) => kind === "tool")).toEqual([]);
    const [{ sessionId: thread } = { sessionId: "" }] = payloads(events, "run.provider_session");
    expect(payloads(more, "run.started")).toMatchObject([{ resumeSessionId: thread }]);
    const sent = JSON.stringify(model.requests.at(-1)?.body.contents);
    expect(sent).toContain("What is connected?");
    expect(sent).toContain("Nothing is connected yet.");
    expect(sent).not.toContain("This conversation started earlier");
  });

  it("stops at a breakpoint of the chat, and goes on", async () => {
    const { hub } = await geminiHub([{ tool: "mcp_debug-bridge_sessions", input: {} }, { text: "Done." }]);
    const breakpoints = [{ on: "tool", name: "sessions" }];
    const chat = await hub.create({ provider: "acp:gemini", cwd: temporaryFolder(), breakpoints });
    const runId = await hub.say(chat.id, "Look");
    const { detail: id } = await until(async () =>
      payloads(await hub.events(chat.id), "run.step").find(({ kind }) => kind === "agent"),
    );
    const types = async (): Promise<string[]> => {
      const answer = await hub.call(`/v1/sessions/${id}/events`);
      const { events = [] } = (await answer.json()) as { events?: { type: string }[] };
      return events.map(({ type }) => type);
    };
    await until(async () => (await types()).includes("breakpoint_hit"));
    expect((await hub.json(`/v1/chats/${chat.id}`)).runId).toBe(runId);
    await hub.json(`/v1/sessions/${id}/commands`, "POST", { type: "resume" });
    expect(textOf(await hub.ended(chat.id, runId))).toBe("Done.");
  });
});
