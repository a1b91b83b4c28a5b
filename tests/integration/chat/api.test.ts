import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatSummary } from "@debug-bridge/protocol";
import { check, runEventSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { type ChatApi, chatApi, payloads, textOf } from "../../support/chat/chat.js";
import { type ControlledTurn, controlledProvider } from "../../support/chat/chat-provider.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";

type Options = Parameters<typeof testHub>[0];

async function chatHub(options: Options = {}): Promise<{
  hub: TestHub;
  api: ChatApi;
  turns: ControlledTurn[];
}> {
  const provider = controlledProvider();
  const hub = await testHub({ chatProviders: [provider], ...options });
  return { hub, api: chatApi(hub.url, hub.token), turns: provider.turns };
}

/** Says something and gets an answer. */
async function exchange(
  { api, turns }: { api: ChatApi; turns: ControlledTurn[] },
  chat: ChatSummary,
  message: string,
  answer: string,
): Promise<void> {
  const count = turns.length;
  const runId = await api.say(chat.id, message);
  const turn = await until(() => turns[count]);
  turn.emit({ type: "delta", text: answer });
  turn.end();
  await api.ended(chat.id, runId);
}

describe("the chat API", () => {
  it("creates, lists, renames, archives, searches, exports and deletes chats [REL-052]", async () => {
    const context = await chatHub();
    const { api, hub } = context;
    const [shop, blog] = [await api.create(), await api.create({ title: "The blog" })];
    expect(shop.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(blog.id).not.toBe(shop.id);
    await exchange(
      context,
      shop,
      "Why does the checkout fail?\nIt did not yesterday.",
      "The coupon is empty.",
    );
    const listed = async (query = ""): Promise<ChatSummary[]> => (await api.json(`/v1/chats${query}`)).chats;
    expect((await listed()).map(({ title }) => title)).toEqual(["Why does the checkout fail?", "The blog"]);
    expect((await listed("?q=COUPON")).map(({ id }) => id)).toEqual([shop.id]);
    expect((await listed("?q=blog")).map(({ id }) => id)).toEqual([blog.id]);
    await api.json(`/v1/chats/${blog.id}`, "PATCH", { title: "My blog", archived: true });
    expect((await listed()).map(({ id }) => id)).toEqual([shop.id]);
    expect(await listed("?archived=true")).toMatchObject([{ id: blog.id, title: "My blog" }]);
    const markdown = await (await api.call(`/v1/chats/${shop.id}/export`)).text();
    expect(markdown).toContain("> Why does the checkout fail?\n> It did not yesterday.");
    expect(markdown).toContain("The coupon is empty.");
    expect(await api.json(`/v1/chats/${shop.id}`, "DELETE")).toEqual({ deleted: true });
    expect(readdirSync(join(hub.chatHome, "chats"))).toEqual([blog.id]);
    expect((await api.call(`/v1/chats/${shop.id}`)).status).toBe(404);
  });

  it("returns the saved usage of a chat as a session", async () => {
    const { api, turns } = await chatHub();
    const chat = await api.create();
    expect(await api.json(`/v1/sessions/${chat.id}`)).not.toHaveProperty("usage");
    const runId = await api.say(chat.id, "hi");
    const usage = { inputTokens: 1_200, outputTokens: 34, contextWindow: 200_000 };
    turns[0]?.emit({ type: "usage", usage });
    turns[0]?.emit({ type: "session", sessionId: "thread-1" });
    turns[0]?.end();
    await api.ended(chat.id, runId);
    expect(await api.json(`/v1/sessions/${chat.id}`)).toMatchObject({ kind: "chat", id: chat.id, usage });
    await api.say(chat.id, "again");
    expect((await until(() => turns[1])).request.resumeSessionId).toBe("thread-1");
  });

  it("runs one message at a time in a chat, and many chats at once", async () => {
    const { api, turns } = await chatHub();
    const [one, two] = [await api.create(), await api.create()];
    const first = await api.say(one.id, "one");
    const second = await api.call(`/v1/chats/${one.id}/runs`, { method: "POST", body: '{"message":"x"}' });
    expect([second.status, (await second.json()).error.code]).toEqual([409, "conflict"]);
    expect((await api.call(`/v1/chats/${one.id}`, { method: "DELETE" })).status).toBe(409);
    const other = await api.say(two.id, "two");
    turns[1]?.emit({ type: "delta", text: "for two" });
    turns[0]?.emit({ type: "delta", text: "for one" });
    for (const turn of turns) turn.end();
    expect(textOf(await api.ended(one.id, first))).toBe("for one");
    expect(textOf(await api.ended(two.id, other))).toBe("for two");
    await api.say(one.id, "next");
  });

  it("stops a run and keeps what was said so far", async () => {
    const { api, turns } = await chatHub();
    const chat = await api.create();
    const runId = await api.say(chat.id, "tell me a story");
    turns[0]?.emit({ type: "delta", text: "Once upon" });
    await api.json(`/v1/runs/${runId}/stop`, "POST");
    turns[0]?.emit({ type: "delta", text: " a time" });
    expect((await api.call(`/v1/runs/${runId}/approvals`)).status).toBe(404);
    const events = await api.events(chat.id);
    expect(textOf(events)).toBe("Once upon");
    expect(events.at(-1)).toMatchObject({ event: "run.stopped", payload: { reason: "person" } });
    expect((await api.call(`/v1/runs/${runId}/stop`, { method: "POST" })).status).toBe(404);
  });

  it("marks runs as interrupted when the hub closes", async () => {
    const home = temporaryFolder();
    const { hub, api } = await chatHub({ home });
    const chat = await api.create();
    await api.say(chat.id, "hi");
    await hub.close();
    const next = await chatHub({ home });
    expect((await next.api.events(chat.id)).at(-1)).toMatchObject({
      event: "run.stopped",
      payload: { reason: "interrupted" },
    });
    await exchange(next, chat, "and now?", "now it works");
  });

  it("bounds what a provider may write, and every event fits its schema", async () => {
    const { api, turns } = await chatHub();
    const chat = await api.create();
    const runId = await api.say(chat.id, "hi");
    const long = "🙂".repeat(100_000);
    turns[0]?.emit({ type: "step", id: "a", kind: "tool", title: long, status: "done", detail: long });
    turns[0]?.emit({ type: "step", id: "../a\u001b/\n", kind: "tool", title: "b", status: "done" });
    turns[0]?.emit({ type: "session", sessionId: "../../etc" });
    turns[0]?.emit({ type: "delta", text: long });
    turns[0]?.end({ outcome: "failed", code: "tool_failed", message: long });
    const events = await api.ended(chat.id, runId);
    expect(textOf(events)).toBe(long);
    for (const event of events) expect(check(runEventSchema, event).ok).toBe(true);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    expect(payloads(events, "run.step").map(({ id }) => id)).toEqual(["a", ".._a___"]);
    expect(payloads(events, "run.provider_session")).toEqual([]);

    const flood = await api.say(chat.id, "flood");
    for (let i = 0; i < 400; i++) turns[1]?.emit({ type: "delta", text: "x".repeat(64_000) });
    const flooded = await api.ended(chat.id, flood);
    expect(payloads(flooded, "run.error")).toMatchObject([{ code: "too_large" }]);
    expect(payloads(flooded, "run.finished")).toEqual([{ outcome: "failed" }]);
  });
});

describe("who may use chats", () => {
  it("needs the token, even on a hub without authentication, and refuses foreign pages", async () => {
    const { hub, api } = await chatHub({ auth: "none" });
    const chat = await api.create();
    for (const path of [
      "/v1/chats",
      `/v1/chats/${chat.id}`,
      "/v1/chat-providers",
      `/events?sessionId=${chat.id}`,
    ]) {
      expect((await fetch(`${hub.url}${path}`)).status).toBe(401);
      const foreign = { headers: { origin: "https://evil.example" } };
      expect((await api.call(path, foreign)).status).toBe(403);
      const extension = { headers: { origin: `chrome-extension://${"a".repeat(32)}` } };
      expect((await api.call(path, extension)).status).toBe(403);
    }
    const run = { method: "POST", body: '{"message":"x"}' };
    expect((await fetch(`${hub.url}/v1/chats/${chat.id}/runs`, run)).status).toBe(401);
    expect((await fetch(`${hub.url}/v1/runs/${chat.id}/stop`, { method: "POST" })).status).toBe(401);
  });

  it("does not start runs on a read-only hub, and lets it read", async () => {
    const { api } = await chatHub({ readOnly: true });
    const chat = await api.create();
    const refused = await api.call(`/v1/chats/${chat.id}/runs`, { method: "POST", body: '{"message":"x"}' });
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, "read_only"]);
    expect(await api.events(chat.id)).toEqual([]);
  });

  it("reads only chats of its own home: no paths, no links, no folders of others", async () => {
    const { api, hub } = await chatHub();
    const chat = await api.create();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, "meta.json"), JSON.stringify(chat));
    const linked = `${chat.id.slice(0, -1)}${chat.id.endsWith("0") ? "1" : "0"}`;
    symlinkSync(elsewhere, join(hub.chatHome, "chats", linked));
    const copied = `${chat.id.slice(0, -1)}${chat.id.endsWith("2") ? "3" : "2"}`;
    mkdirSync(join(hub.chatHome, "chats", copied));
    writeFileSync(join(hub.chatHome, "chats", copied, "meta.json"), JSON.stringify(chat));
    const wrong = [
      linked,
      copied,
      "..",
      "..%2f..%2ftoken",
      "token",
      chat.id.toLowerCase(),
      "%00",
      "x".repeat(5_000),
    ];
    for (const id of wrong) {
      for (const path of [`/v1/chats/${id}`, `/v1/chats/${id}/transcript`, `/events?sessionId=${id}`])
        expect((await api.call(path)).status, path.slice(0, 80)).toBe(404);
      expect((await api.call(`/v1/chats/${id}`, { method: "DELETE" })).status).toBe(404);
    }
    expect((await api.json("/v1/chats")).chats.map(({ id }: ChatSummary) => id)).toEqual([chat.id]);
    expect(existsSync(join(elsewhere, "meta.json"))).toBe(true);
  });

  it("refuses wrong bodies with the field that is wrong", async () => {
    const { api } = await chatHub();
    const chat = await api.create();
    const post = async (path: string, body: string, method = "POST"): Promise<unknown[]> => {
      const response = await api.call(path, { method, body });
      const { error } = await response.json();
      return [response.status, error.code, error.details?.field];
    };
    const runs = `/v1/chats/${chat.id}/runs`;
    expect(await post("/v1/chats", '{"provider":"nobody"}')).toEqual([501, "not_supported", "provider"]);
    expect(await post("/v1/chats", '{"cwd":"relative"}')).toEqual([400, "invalid_message", "cwd"]);
    expect(await post(runs, "{}")).toEqual([400, "invalid_message", "message"]);
    expect(await post(runs, '{"message":""}')).toEqual([400, "invalid_message", "message"]);
    expect(await post(runs, "no json")).toEqual([400, "invalid_message", undefined]);
    expect(await post(runs, '{"message":"x","context":{"session":"a/b"}}')).toEqual([
      400,
      "invalid_message",
      "context.session",
    ]);
    expect((await post(runs, JSON.stringify({ message: "x".repeat(300_000) })))[0]).toBe(400);
    expect((await post(runs, JSON.stringify({ message: "x".repeat(20_000_000) })))[0]).toBe(413);
    expect(await post(`/v1/chats/${chat.id}`, '{"title":""}', "PATCH")).toEqual([
      400,
      "invalid_message",
      "title",
    ]);
    expect(await api.events(chat.id)).toEqual([]);
  });

  it("returns the newest part of a transcript, and the parts before it", async () => {
    const context = await chatHub();
    const { api } = context;
    const chat = await api.create();
    for (let i = 1; i <= 12; i++) await exchange(context, chat, `message ${i}`, `answer ${i}`);
    const all = await api.events(chat.id);
    const path = `/v1/chats/${chat.id}/transcript`;
    const newest = await api.json(`${path}?limit=4`);
    expect(newest.events[0]).toMatchObject({ event: "run.started" });
    expect(newest.events).toEqual(all.slice(-newest.events.length));
    const before = await api.json(`${path}?before=${newest.earlier}&limit=4`);
    expect(before.events.at(-1).sequence).toBe(newest.events[0].sequence - 1);
    expect(await api.json(`${path}?before=${all.length + 1}`)).toEqual({ events: all, earlier: null });
    expect(await api.json(`${path}?before=1`)).toEqual({ events: [], earlier: null });
    expect(await api.json(path)).toMatchObject({ events: all, more: false });
    for (const wrong of ["?before=x", "?limit=-1", "?before=3&since=1"])
      expect((await api.call(`${path}${wrong}`)).status, wrong).toBe(400);
  });
});
