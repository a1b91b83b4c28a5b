import { describe, expect, it } from "vitest";
import { hello, type TestHub, testHub } from "../../support/hub/hub.js";
import type { WireClient } from "../../support/hub/wire-client.js";

const click = { type: "click", target: { text: "Buy" } };

async function page(hub: TestHub, instanceId: string): Promise<WireClient> {
  const app = await hub.app();
  app.send({ ...hello, instanceId });
  await app.next("welcome");
  return app;
}

const record = (hub: TestHub, method: string): Promise<Response> =>
  hub.api("/v1/sessions/s/recording", { method });

const answered = new WeakMap<WireClient, Set<unknown>>();

/** Answers the next command of a type. */
async function answerNext(app: WireClient, type: string, how: object = {}): Promise<void> {
  const before = answered.get(app) ?? new Set();
  const { requestId } = await app.next(type, (command) => !before.has(command.requestId));
  answered.set(app, before.add(requestId));
  app.send({ type: "command_result", requestType: type, requestId, success: true, ...how });
}

const got = (app: WireClient, type: string): boolean => app.received.some((each) => each.type === type);

describe("a recording", () => {
  it("has begun when its start is answered: the page reports what is done in it", async () => {
    const hub = await testHub();
    const app = await page(hub, "p1");
    let isAnswered = false;
    const started = record(hub, "POST").finally(() => {
      isAnswered = true;
    });
    await app.next("record_actions");
    expect((await hub.api("/v1/sessions/s/recording")).status).toBe(200);
    expect(isAnswered).toBe(false);
    await answerNext(app, "record_actions");
    expect((await started).status).toBe(200);
  });

  it("holds actions, and nothing else, until a page that was just loaded reports them", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const first = await page(hub, "p1");
    const started = record(hub, "POST");
    await answerNext(first, "record_actions");
    await started;
    first.socket.close(1001);
    const next = await page(hub, "p2");
    await next.next("record_actions");
    const clicked = agent.command(click);
    const looked = agent.command({ type: "get_state" });
    await answerNext(next, "get_state");
    expect(await looked).toMatchObject({ success: true });
    const confirmed = agent.command({ type: "dialog", action: "accept" });
    await answerNext(next, "dialog");
    expect(await confirmed).toMatchObject({ success: true });
    expect(got(next, "click")).toBe(false);
    await answerNext(next, "keep_chains");
    await answerNext(next, "record_actions");
    await answerNext(next, "click");
    expect(await clicked).toMatchObject({ success: true });
  });

  it("drops an action that is cancelled while it is held, so that no page gets it", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const app = await page(hub, "p1");
    const started = record(hub, "POST");
    await app.next("record_actions");
    const result = (of: string) => agent.next("command_result", ({ requestType }) => requestType === of);
    agent.send({ ...click, requestId: "r1" });
    agent.send({ type: "cancel", requestId: "r1" });
    expect(await result("cancel")).toMatchObject({ value: { cancelled: true } });
    expect(await result("click")).toMatchObject({ requestId: "r1", success: false, error: "cancelled" });
    await answerNext(app, "record_actions");
    await answerNext(app, "keep_chains");
    await started;
    const second = agent.command(click);
    await answerNext(app, "click");
    expect(await second).toMatchObject({ success: true });
    expect(app.received.filter(({ type }) => type === "click")).toHaveLength(1);
  });

  it("does not hold actions for a page that cannot report them, and asks again one that could not yet", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const app = await page(hub, "p1");
    const started = record(hub, "POST");
    await answerNext(app, "record_actions", { success: false, error: "not_actionable" });
    await answerNext(app, "keep_chains", { success: false, error: "not_supported" });
    await started;
    const first = agent.command(click);
    await answerNext(app, "record_actions", { success: false, error: "not_supported" });
    await answerNext(app, "click");
    expect(await first).toMatchObject({ success: true });
    const second = agent.command(click);
    await answerNext(app, "click");
    expect(await second).toMatchObject({ success: true });
    expect(app.received.filter(({ type }) => type === "record_actions")).toHaveLength(2);
  });
});

describe("a session that somebody asked why", () => {
  it("holds actions until a page that was just loaded keeps chains, so that what they lead to can be explained", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const first = await page(hub, "p1");
    const asked = hub.api("/v1/sessions/s/why");
    await answerNext(first, "keep_chains", { value: { since: 1 } });
    await asked;
    first.socket.close(1001);
    const next = await page(hub, "p2");
    const clicked = agent.command(click);
    const looked = agent.command({ type: "get_state" });
    await answerNext(next, "get_state");
    expect(await looked).toMatchObject({ success: true });
    expect(got(next, "click")).toBe(false);
    await answerNext(next, "keep_chains", { value: { since: 2 } });
    await answerNext(next, "click");
    expect(await clicked).toMatchObject({ success: true });
  });

  it("does not hold them longer than a page takes that does not answer", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const app = await page(hub, "p1");
    void hub.api("/v1/sessions/s/why").catch(() => {});
    await app.next("keep_chains");
    const clicked = agent.command(click);
    await answerNext(app, "click");
    expect(await clicked).toMatchObject({ success: true });
  });
});
