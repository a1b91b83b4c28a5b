import type { ChatFeedEvent, ChatSummary } from "@debug-bridge/protocol";
import { chatFeedEventSchema, check } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { chatApi } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { readEvents } from "../../support/hub/event-reader.js";
import { testHub } from "../../support/hub/hub.js";

/** The list that a window has after these changes. */
function listAfter(events: readonly ChatFeedEvent[]): Map<string, ChatSummary> {
  const list = new Map<string, ChatSummary>();
  for (const { event, payload } of events)
    if (event === "chat.changed") list.set(payload.id, payload);
    else list.delete(payload.id);
  return list;
}

describe("the feed of the list of chats", () => {
  it("sends what changed, and nothing at first", async () => {
    const provider = controlledProvider();
    const hub = await testHub({ chatProviders: [provider] });
    const api = chatApi(hub.url, hub.token);
    const old = await api.create({ title: "old" });
    const { events } = await readEvents<ChatFeedEvent>(api, "/v1/chats/feed");
    const { id } = await api.create();
    await until(() => listAfter(events).has(id));
    expect(events).toHaveLength(1);
    const runId = await api.say(id, "hello");
    await until(() => listAfter(events).get(id)?.runId === runId);
    expect(listAfter(events).get(id)?.title).toBe("hello");
    provider.turns[0]?.emit({ type: "delta", text: "hi" });
    provider.turns[0]?.end();
    await until(() => listAfter(events).get(id)?.runId === undefined);
    await api.json(`/v1/chats/${id}`, "PATCH", { title: "Greeting", archived: true });
    await until(() => listAfter(events).get(id)?.archived === true);
    const { chats } = await api.json("/v1/chats?archived=true");
    expect(chats).toEqual([listAfter(events).get(id)]);
    await api.json(`/v1/chats/${id}`, "DELETE");
    await until(() => !listAfter(events).has(id));
    expect(events.some(({ payload }) => payload.id === old.id)).toBe(false);
    for (const event of events) expect(check(chatFeedEventSchema, event)).toMatchObject({ ok: true });
  });

  it("has changes of another hub of the same home too", async () => {
    const hub = await testHub({ chatProviders: [controlledProvider()] });
    const other = await testHub({ home: hub.home, announce: false, chatProviders: [controlledProvider()] });
    const { events } = await readEvents<ChatFeedEvent>(chatApi(hub.url, hub.token), "/v1/chats/feed");
    const elsewhere = chatApi(other.url, other.token);
    const { id } = await elsewhere.create({ title: "there" });
    await until(() => listAfter(events).get(id)?.title === "there");
    await elsewhere.json(`/v1/chats/${id}`, "DELETE");
    await until(() => !listAfter(events).has(id));
  });

  it("needs the token or a ticket", async () => {
    const hub = await testHub({ auth: "none" });
    expect((await fetch(`${hub.url}/v1/chats/feed`)).status).toBe(401);
  });
});
