import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";
import type { WireClient } from "../../support/hub/wire-client.js";

const click = { type: "click", target: { text: "Next" } };

async function page(hub: TestHub, instanceId: string): Promise<WireClient> {
  const app = await hub.app();
  app.send({ ...hello, instanceId });
  await app.next("welcome");
  return app;
}

/** Waits until the agent knows that the page, which it saw, is gone. */
async function isGone(agent: WireClient): Promise<void> {
  await until(() => {
    const statuses = agent.received
      .filter(({ type }) => type === "session_status")
      .map(({ status }) => status);
    return statuses.includes("connected") && statuses.at(-1) === "disconnected";
  });
}

describe("between two pages of an app", () => {
  it("a command waits for the next page", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    (await page(hub, "p1")).socket.close(1001);
    await isGone(agent);
    const answered = agent.command(click);
    const overHttp = hub.api("/v1/sessions/s/commands", { method: "POST", body: JSON.stringify(click) });
    const next = await hub.app();
    answer(next, () => ({ instanceId: "p2" }));
    next.send({ ...hello, instanceId: "p2" });
    expect(await answered).toMatchObject({ success: true, instanceId: "p2" });
    expect(await (await overHttp).json()).toMatchObject({ success: true, instanceId: "p2" });
  });

  it("a command that the leaving page refused goes to the next page, and is answered once", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const first = await page(hub, "p1");
    answer(first, () => ({ success: false, error: "not_actionable", details: { retry: true } }));
    const answered = agent.command({ ...click, requestId: "r1" });
    await first.next("click");
    first.socket.close(1001);
    await isGone(agent);
    const next = await hub.app();
    answer(next);
    next.send({ ...hello, instanceId: "p2" });
    expect(await answered).toMatchObject({ success: true });
    expect(await agent.command({ type: "get_state" })).toMatchObject({ success: true });
    expect(agent.received.filter(({ requestId }) => requestId === "r1")).toHaveLength(1);
  });

  it("a page that stays gets the command again, once", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const app = await page(hub, "p1");
    answer(app, () => ({ success: false, error: "not_actionable", details: { retry: true } }));
    expect(await agent.command(click)).toMatchObject({ success: false, error: "not_actionable" });
    expect(app.received.filter(({ type }) => type === "click")).toHaveLength(2);
  });

  it("no page runs a command twice because another is being left, and no other page replaces one that was named", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    const [leaving, staying] = [await page(hub, "p1"), await page(hub, "p2")];
    answer(leaving, () => ({ success: false, error: "not_actionable", details: { retry: true } }));
    answer(staying);
    agent.send({ ...click, requestId: "both", instanceId: "all" });
    await until(() => agent.received.filter(({ requestId }) => requestId === "both").length === 2);
    expect(await agent.command({ ...click, instanceId: "p1" })).toMatchObject({ error: "not_actionable" });
    expect(await agent.command({ type: "get_state", instanceId: "p2" })).toMatchObject({ success: true });
    expect(staying.received.filter(({ type }) => type === "click")).toHaveLength(1);
  });

  it("the client that holds the lease by then acts", async () => {
    const hub = await testHub();
    const [agent, other] = await Promise.all([hub.agent(), hub.agent()]);
    (await page(hub, "p1")).socket.close(1001);
    await isGone(agent);
    const answered = agent.command(click);
    expect(await other.command({ type: "acquire_lease" })).toMatchObject({ success: true });
    const next = await page(hub, "p2");
    expect(await answered).toMatchObject({ success: false, error: "lease_held" });
    expect(next.received.some(({ type }) => type === "click")).toBe(false);
  });

  it("a command waits for the next page no longer than its timeout", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    (await page(hub, "p1")).socket.close(1001);
    await isGone(agent);
    expect(await agent.command({ ...click, timeoutMs: 50 })).toMatchObject({ error: "app_not_connected" });
  });

  it("a command does not wait after a page closed its connection itself", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    (await page(hub, "p1")).socket.close(1000);
    await isGone(agent);
    const sent = performance.now();
    agent.send({ ...click, requestId: "r1" });
    await until(() => agent.received.find(({ requestId }) => requestId === "r1"));
    expect(performance.now() - sent).toBeLessThan(quietTime(2_000));
  });
});
