import type { RunEvent } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { type ChatApi, chatApi } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { type EventReader, readEvents } from "../../support/hub/event-reader.js";
import { testHub } from "../../support/hub/hub.js";

/** Reads `/events` as a browser does. */
const read = (api: ChatApi, chatId: string, lastEventId?: number): Promise<EventReader<RunEvent>> =>
  readEvents(
    api,
    `/events?sessionId=${chatId}`,
    lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) },
  );

describe("the events of a chat", () => {
  it("are refused without a chat [REL-055]", async () => {
    const hub = await testHub();
    const api = chatApi(hub.url, hub.token);
    for (const path of ["/events", "/events?sessionId="]) {
      const response = await api.call(path);
      expect([response.status, (await response.json()).error.details.field]).toEqual([400, "sessionId"]);
    }
    expect((await api.call("/events?sessionId=shop")).status).toBe(404);
  });

  it("are those of one chat only, while another runs [REL-054]", async () => {
    const provider = controlledProvider();
    const hub = await testHub({ chatProviders: [provider] });
    const api = chatApi(hub.url, hub.token);
    const [one, two] = [await api.create(), await api.create()];
    const reader = await read(api, one.id);
    const [first, second] = [await api.say(one.id, "one"), await api.say(two.id, "two")];
    for (const [i, text] of ["for one", "for two"].entries()) {
      provider.turns[i]?.emit({ type: "delta", text });
      provider.turns[i]?.end();
    }
    await api.ended(one.id, first);
    await api.ended(two.id, second);
    await until(() => reader.events.length === 3);
    expect(reader.events).toEqual(await api.events(one.id));
    expect(reader.events.every(({ sessionId, runId }) => sessionId === one.id && runId === first)).toBe(true);
  });

  it("resume after any event, on another hub too, without losing or repeating one", async () => {
    const home = temporaryFolder();
    const provider = controlledProvider();
    const hub = await testHub({ home, chatProviders: [provider] });
    const api = chatApi(hub.url, hub.token);
    const chat = await api.create();
    const runId = await api.say(chat.id, "count");
    const early = await read(api, chat.id, 3);
    for (let i = 0; i < 20; i++)
      provider.turns[0]?.emit({
        type: "step",
        id: `s${i}`,
        kind: "tool",
        title: `step ${i}`,
        status: "done",
      });
    provider.turns[0]?.end();
    const all = await api.ended(chat.id, runId);
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
    const second = await testHub({ home });
    const elsewhere = chatApi(second.url, second.token);
    for (const since of [0, 1, 11, 21]) {
      const reader = await read(since % 2 ? elsewhere : api, chat.id, since);
      await until(() => reader.events.length >= 22 - since);
      expect(reader.events).toEqual(all.slice(since));
      expect(reader.ids).toEqual(all.slice(since).map(({ sequence }) => sequence));
      reader.close();
    }
    await until(() => early.events.length === 19);
    expect(early.events).toEqual(all.slice(3));
    const wrong = await api.call(`/events?sessionId=${chat.id}`, { headers: { "last-event-id": "x" } });
    expect(wrong.status).toBe(400);
  });
});
