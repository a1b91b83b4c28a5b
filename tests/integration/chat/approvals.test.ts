import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@debug-bridge/protocol";
import { check, runEventSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { type ChatApi, chatApi, payloads } from "../../support/chat/chat.js";
import { type ControlledTurn, controlledProvider } from "../../support/chat/chat-provider.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";
import type { WireClient } from "../../support/hub/wire-client.js";

const SITE = "http://localhost:3000";
const CLICK = { type: "click", target: { text: "Save" } };

type Approval = ReturnType<typeof approvalsOf>[number];
const approvalsOf = (events: readonly RunEvent[]) => payloads(events, "run.approval");

interface Stage {
  readonly hub: TestHub;
  readonly api: ChatApi;
  readonly app: WireClient;
  readonly turns: ControlledTurn[];
  /** The commands that reached the page. */
  readonly done: string[];
  /** A run of a new chat, and the client that its tools are. */
  run(): Promise<{ chatId: string; runId: string; tools: WireClient }>;
  asked(chatId: string, count?: number): Promise<Approval>;
  decide(chatId: string, id: string, decision: string): Promise<Response>;
}

async function stage(options: Parameters<typeof testHub>[0] = {}): Promise<Stage> {
  const provider = controlledProvider();
  const hub = await testHub({ chatProviders: [provider], ...options });
  const api = chatApi(hub.url, hub.token);
  const app = await hub.app("shop", { headers: { origin: SITE } });
  const done: string[] = [];
  answer(app, ({ type }) => {
    done.push(String(type));
    return {};
  });
  app.send({ ...hello, url: `${SITE}/cart` });
  return {
    ...{ hub, api, app, done, turns: provider.turns },
    run: async () => {
      const { id: chatId } = await api.create();
      const runId = await api.say(chatId, "save it");
      const tools = await hub.agent("shop", { query: { name: `mcp@${runId}` } });
      return { chatId, runId, tools };
    },
    asked: (chatId, count = 1) =>
      until(async () => {
        const waiting = approvalsOf(await api.events(chatId)).filter(({ status }) => status === "waiting");
        return waiting[count - 1];
      }),
    decide: (chatId, id, decision) =>
      api.call(`/v1/chats/${chatId}/approvals/${id}`, {
        method: "POST",
        body: JSON.stringify({ decision }),
      }),
  };
}

describe("the agent of a chat that wants to act on a site", () => {
  it("waits for the person the first time in a run, and may look meanwhile", async () => {
    const { api, app, done, run, asked, decide, turns } = await stage();
    const { chatId, runId, tools } = await run();
    expect(await tools.command({ type: "request_ui_tree" })).toMatchObject({ success: true });
    const clicked = tools.command(CLICK);
    const typed = tools.command({ type: "type", target: { ref: "e3" }, text: "my secret" });
    const approval = await asked(chatId);
    expect(approval).toMatchObject({ origin: SITE, sessionId: "shop", action: 'click "Save"' });
    expect(await tools.command({ type: "request_ui_tree" })).toMatchObject({ success: true });
    expect(done).not.toContain("click");
    app.send({ type: "console", level: "log", args: ["meanwhile"] });
    expect(await (await decide(chatId, approval.id, "once")).json()).toMatchObject({ status: "allowed" });
    expect([await clicked, await typed]).toMatchObject([{ success: true }, { success: true }]);
    expect(await tools.command(CLICK)).toMatchObject({ success: true });
    turns[0]?.end();
    const events = await api.ended(chatId, runId);
    expect(approvalsOf(events).map(({ status }) => status)).toEqual(["waiting", "allowed"]);
    expect(JSON.stringify(events)).not.toContain("my secret");
    // What happened while the person thought was not caused by the command that waited.
    const { events: records } = await api.json("/v1/sessions/shop/events");
    const meanwhile = records.find((each: object) => JSON.stringify(each).includes("meanwhile"));
    expect(meanwhile).toMatchObject({ type: "console" });
    expect(meanwhile).not.toHaveProperty("causedBy");
    for (const event of events) expect(check(runEventSchema, event)).toMatchObject({ ok: true });
    const markdown = await (await api.call(`/v1/chats/${chatId}/export`)).text();
    expect(markdown).toContain(`act on ${SITE} (click "Save"): allowed`);
  });

  it("is asked about again in the next run, unless the person allowed the site for good", async () => {
    const { hub, api, run, asked, decide } = await stage();
    const first = await run();
    const clicked = first.tools.command(CLICK);
    await decide(first.chatId, (await asked(first.chatId)).id, "once");
    expect(await clicked).toMatchObject({ success: true });
    const second = await run();
    const again = second.tools.command(CLICK);
    await decide(second.chatId, (await asked(second.chatId)).id, "always");
    expect(await again).toMatchObject({ success: true });
    const third = await run();
    expect(await third.tools.command(CLICK)).toMatchObject({ success: true });
    expect(approvalsOf(await api.events(third.chatId))).toEqual([]);
    const file = join(hub.chatHome, "chat-approvals.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(await api.json("/v1/chat-approvals"));
    expect(await api.json("/v1/chat-approvals")).toMatchObject({ approvals: [{ origin: SITE }] });
    await api.json(`/v1/chat-approvals/${encodeURIComponent(SITE)}`, "DELETE");
    expect(await api.json("/v1/chat-approvals")).toEqual({ approvals: [] });
    expect(
      (await api.call(`/v1/chat-approvals/${encodeURIComponent(SITE)}`, { method: "DELETE" })).status,
    ).toBe(404);
    void (await run()).tools.command(CLICK);
    await asked((await api.json("/v1/chats")).chats[0].id);
  });

  it("does nothing there in this run when the person refuses", async () => {
    const { api, done, run, asked, decide } = await stage();
    const { chatId, tools } = await run();
    const clicked = tools.command(CLICK);
    await decide(chatId, (await asked(chatId)).id, "refuse");
    expect(await clicked).toMatchObject({ success: false, error: "grant_needed" });
    expect((await tools.command(CLICK)).message).toContain("do not retry");
    expect(done).not.toContain("click");
    expect(approvalsOf(await api.events(chatId)).map(({ status }) => status)).toEqual(["waiting", "refused"]);
  });

  it("stops waiting when the run is stopped, cancelled, or has ended", async () => {
    const { api, done, run, asked, decide } = await stage();
    const { chatId, runId, tools } = await run();
    tools.send({ ...CLICK, requestId: "c1" });
    const approval = await asked(chatId);
    tools.send({ type: "cancel", requestId: "c1" });
    const result = await until(() => tools.received.find(({ requestType }) => requestType === "click"));
    expect(result).toMatchObject({ success: false, error: "cancelled" });
    const clicked = tools.command(CLICK);
    await api.json(`/v1/runs/${runId}/stop`, "POST");
    expect(await clicked).toMatchObject({ success: false, error: "grant_needed" });
    const events = await api.events(chatId);
    expect(events.slice(-2)).toMatchObject([
      { event: "run.approval", payload: { id: approval.id, status: "refused" } },
      { event: "run.stopped" },
    ]);
    expect((await decide(chatId, approval.id, "once")).status).toBe(404);
    expect((await tools.command(CLICK)).message).toContain("has ended");
    expect(done).not.toContain("click");
  });

  it("is asked for each site: where the page went while the person thought, and where it would go", async () => {
    const { hub, run, asked, decide } = await stage();
    const page = hub.joinAsApp("browser-1", { kind: "browser" });
    const done: string[] = [];
    page.onMessage = (text) => {
      const { type, requestId, origin } = JSON.parse(text) as Record<string, string>;
      if (origin !== "agent") return;
      done.push(String(type));
      const result = { type: "command_result", requestType: type, requestId, success: true };
      page.send(JSON.stringify({ sessionId: "browser-1", timestamp: 1, origin: "app", ...result }));
    };
    const goTo = (url: string): void =>
      page.send(JSON.stringify({ sessionId: "browser-1", timestamp: 1, origin: "app", ...hello, url }));
    goTo("https://one.example/a");
    const { chatId, runId } = await run();
    const tools = await hub.agent("browser-1", { query: { name: `mcp@${runId}` } });
    const clicked = tools.command(CLICK);
    const first = await asked(chatId);
    expect(first.origin).toBe("https://one.example");
    goTo("https://two.example/b");
    await decide(chatId, first.id, "once");
    const second = await asked(chatId, 2);
    expect(second.origin).toBe("https://two.example");
    expect(done).not.toContain("click");
    await decide(chatId, second.id, "once");
    expect(await clicked).toMatchObject({ success: true });
    const moved = tools.command({ type: "navigate", url: "//three.example/c" });
    const third = await asked(chatId, 3);
    expect(third).toMatchObject({ origin: "https://three.example", action: "go to //three.example/c" });
    await decide(chatId, third.id, "refuse");
    expect(await moved).toMatchObject({ success: false, error: "grant_needed" });
    expect(done).toEqual(["click"]);
  });

  it("is asked over HTTP as well, and no other client is", async () => {
    const { hub, api, run, asked, decide } = await stage();
    const { chatId, runId } = await run();
    const post = (name: string): Promise<Response> =>
      api.call("/v1/sessions/shop/commands", {
        method: "POST",
        body: JSON.stringify(CLICK),
        headers: { "x-debug-bridge-client": name },
      });
    expect((await post("mcp")).status).toBe(200);
    expect(await (await hub.agent("shop")).command(CLICK)).toMatchObject({ success: true });
    expect(approvalsOf(await api.events(chatId))).toEqual([]);
    const posted = post(`mcp@${runId}`);
    await decide(chatId, (await asked(chatId)).id, "refuse");
    expect((await posted).status).toBe(403);
  });

  it("is not asked about on a hub where nobody may act", async () => {
    const { hub, api, turns } = await stage();
    const other = await testHub({ readOnly: true });
    const page = await other.app("shop");
    page.send(hello);
    const { id } = await api.create();
    const runId = await api.say(id, "hi");
    const tools = await other.agent("shop", { query: { name: `mcp@${runId}` } });
    expect(await tools.command(CLICK)).toMatchObject({ success: false, error: "read_only" });
    expect(hub.url).not.toBe(other.url);
    turns[0]?.end();
  });
});

describe("an answer", () => {
  it("is refused when it is wrong, for another chat, or for nothing that waits", async () => {
    const { api, run, asked, decide } = await stage();
    const { chatId, tools } = await run();
    const clicked = tools.command(CLICK);
    const { id } = await asked(chatId);
    const other = await api.create();
    expect((await decide(other.id, id, "once")).status).toBe(404);
    expect((await decide(chatId, "x", "once")).status).toBe(404);
    for (const wrong of ["yes", "", "forever"]) expect((await decide(chatId, id, wrong)).status).toBe(400);
    expect((await decide(chatId, id, "once")).status).toBe(200);
    expect((await decide(chatId, id, "refuse")).status).toBe(404);
    expect(await clicked).toMatchObject({ success: true });
  });
});
