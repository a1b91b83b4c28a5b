import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { chatApi } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { testHub } from "../../support/hub/hub.js";

const EVERY_TOOL = { on: "tool", name: "*" };

describe("breakpoints of a chat, through the API", () => {
  it("are kept with the chat, reach the agent of the next run once, and are changed only by the hub that runs it", async () => {
    const provider = controlledProvider();
    const hub = await testHub({ chatProviders: [provider] });
    const other = await testHub({ chatProviders: [controlledProvider()], home: hub.home });
    const [api, elsewhere] = [chatApi(hub.url, hub.token), chatApi(other.url, other.token)];
    const chat = await api.create({ breakpoints: [EVERY_TOOL] });
    expect(await elsewhere.json(`/v1/chats/${chat.id}`)).toMatchObject({ breakpoints: [EVERY_TOOL] });
    const runId = await api.say(chat.id, "go");
    const turn = await until(() => provider.turns[0]);
    const file = turn.request.commandsFile ?? "";
    const data = { action: "replace", group: "chat", breakpoints: [EVERY_TOOL] };
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ type: "breakpoint", data });
    const refused = await elsewhere.call(`/v1/chats/${chat.id}`, {
      method: "PATCH",
      body: '{"breakpoints":[]}',
    });
    expect(refused.status).toBe(409);
    turn.end();
    await api.ended(chat.id, runId);
    // No agent took it: the next run must not find what the person has removed since.
    await until(() => !existsSync(file));
    await elsewhere.json(`/v1/chats/${chat.id}`, "PATCH", { breakpoints: [] });
    expect(await api.json(`/v1/chats/${chat.id}`)).toMatchObject({ breakpoints: [] });
  });

  it.each([
    [{ on: "tool" }],
    [{ on: "pattern", regex: ".*" }],
    [{ on: "tool", name: "act", condition: "input.x" }],
    Array.from({ length: 51 }, (_, i) => ({ on: "tool", name: `t${i}` })),
  ])("refuse what is not a breakpoint of a chat, or too many", async (...breakpoints) => {
    const hub = await testHub({ chatProviders: [controlledProvider()] });
    const api = chatApi(hub.url, hub.token);
    const { id } = await api.create();
    const body = JSON.stringify({ breakpoints });
    const refused = await api.call(`/v1/chats/${id}`, { method: "PATCH", body });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("breakpoints");
  });
});
