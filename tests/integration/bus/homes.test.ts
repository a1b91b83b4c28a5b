import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { hubsOn, TestBuses } from "../../support/bus/bus.js";
import { chatApi, textOf } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { hello, type TestHub, testHub } from "../../support/hub/hub.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

describe.each(buses.kinds)("over a bus %s", (_kind, connect) => {
  test("a chat of one hub is listed, read, continued and stopped at another", async () => {
    const bus = connect();
    const provider = controlledProvider();
    const [a] = (await hubsOn(bus, ["a"], { chatProviders: [provider] })) as [TestHub];
    const b = await testHub({ bus: await bus("b") });
    const [there, here] = [chatApi(a.url, a.token), chatApi(b.url, b.token)];
    const feed = await here.call("/v1/chats/feed");
    const changes = reader(feed);
    const { id } = await there.create({ title: "Find the bug" });
    expect(await changes.next("chat.changed")).toContain(id);
    const listed = await here.json("/v1/chats");
    expect(listed.chats).toEqual([expect.objectContaining({ id, hubName: a.name })]);
    const runId = await here.say(id, "hello there");
    const events = reader(await here.call(`/events?sessionId=${id}`));
    await events.next("run.started");
    provider.turns[0]?.emit({ type: "delta", text: "Hello back" });
    provider.turns[0]?.end();
    await events.next("run.finished");
    expect(textOf(await here.ended(id, runId))).toBe(textOf(await there.ended(id, runId)));
    const second = await here.say(id, "again");
    await here.json(`/v1/runs/${second}/stop`, "POST");
    expect((await here.ended(id, second)).at(-1)).toMatchObject({ event: "run.stopped" });
    await here.json(`/v1/chats/${id}`, "DELETE");
    expect((await there.json("/v1/chats")).chats).toEqual([]);
    await until(() => a.audit().includes("chat deleted"));
  });

  test("a read-only hub lets its clients read the chats of others and run none", async () => {
    const bus = connect();
    const [a] = (await hubsOn(bus, ["a"], { chatProviders: [controlledProvider()] })) as [TestHub];
    const b = await testHub({ bus: await bus("b"), readOnly: true });
    const { id } = await chatApi(a.url, a.token).create();
    const here = chatApi(b.url, b.token);
    expect((await here.json(`/v1/chats/${id}`)).id).toBe(id);
    const refused = await here.call(`/v1/chats/${id}/runs`, { method: "POST", body: '{"message":"hi"}' });
    expect(await refused.json()).toMatchObject({ error: { code: "read_only" } });
  });

  test("the recordings of one hub are listed and read at another", async () => {
    const [a, b] = (await hubsOn(connect(), ["a", "b"], { record: true })) as [TestHub, TestHub];
    const app = await a.app("shop");
    app.send(hello);
    app.send({ type: "console", level: "log", args: ["kept on the first hub"] });
    const list = async (hub: TestHub): Promise<{ id: string; hubName?: string }[]> =>
      ((await (await hub.api("/v1/recordings")).json()) as { recordings: { id: string }[] }).recordings;
    const recording = await until(async () => (await list(b))[0]);
    expect(recording.hubName).toBe(a.name);
    expect((await list(a))[0]).not.toHaveProperty("hubName");
    const path = `/v1/recordings/${recording.id}/timeline`;
    await until(async () => (await (await b.api(path)).text()).includes("kept on the first hub"));
    expect((await b.api("/v1/recordings/none/timeline")).status).toBe(404);
  });
});

/** The events of a stream, as they come. */
function reader(response: Response): { next(text: string): Promise<string> } {
  let seen = "";
  const body = response.body?.getReader();
  onTestFinished(() => void body?.cancel().catch(() => {}));
  void (async () => {
    for (const decoder = new TextDecoder(); body; ) {
      const { done, value } = await body.read();
      if (done) return;
      seen += decoder.decode(value, { stream: true });
    }
  })().catch(() => {});
  return {
    next: (text) => until(() => seen.split("\n\n").find((event) => event.includes(text))),
  };
}
