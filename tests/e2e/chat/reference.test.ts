import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { payloads, startChatHub, textOf } from "../../support/chat/chat.js";

describe("a chat with the reference agent", () => {
  it("uses our tools, is an agent session, and receives the conversation again each time", async () => {
    const model = await startModelServer([
      { tool: "sessions", input: {} },
      { text: "Nothing is connected." },
      { text: "Still nothing." },
    ]);
    const hub = await startChatHub(temporaryFolder(), {
      env: { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` },
    });
    const chat = await hub.create({ provider: "reference", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "What is connected?"));
    expect(payloads(events, "run.error")).toEqual([]);
    expect(textOf(events)).toBe("Nothing is connected.");
    const steps = payloads(events, "run.step");
    // One step when the call begins, and the same with its input and result when it has ended.
    const [started, ended] = steps.filter(({ kind }) => kind === "tool");
    expect(started).toMatchObject({ title: "sessions", status: "running", detail: "{}" });
    expect(ended).toMatchObject({ id: started?.id, title: "sessions", status: "done" });
    expect(ended?.detail?.split("\n")[0]).toBe("{}");
    expect(ended?.detail?.split("\n")[1]).toContain("from the hub");
    const [agent] = steps.filter(({ kind }) => kind === "agent");
    const recorded = await hub.json(`/v1/sessions/${agent?.detail}/events`);
    expect(recorded.events.map(({ type }: { type: string }) => type)).toContain("tool_call_end");
    const more = await hub.ended(chat.id, await hub.say(chat.id, "And now?"));
    expect(textOf(more)).toBe("Still nothing.");
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(sent).toContain("What is connected?");
    expect(sent).toContain("And now?");
  });

  it("says which settings are missing when it has no model", async () => {
    const keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "DEEPSEEK_API_KEY"];
    const hub = await startChatHub(temporaryFolder(), {
      env: Object.fromEntries(keys.map((key) => [key, ""])),
    });
    const { providers } = await hub.json("/v1/chat-providers");
    const about = providers.find(({ name }: { name: string }) => name === "reference");
    expect(about.available).toBe(false);
    expect(about.problem).toContain("ANTHROPIC_API_KEY");
  });
});
