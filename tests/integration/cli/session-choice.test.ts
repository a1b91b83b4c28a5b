import { describe, expect, it } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";
import { CdpClient } from "../relay/cdp-client.js";
import { FakeExtension, tab } from "../relay/fake-extension.js";

type Listed = { id: string; lastUsedAt?: string; active?: boolean };

async function sessions(hub: TestHub): Promise<Listed[]> {
  return ((await (await hub.api("/v1/sessions")).json()) as { sessions: Listed[] }).sessions;
}

async function addApp(hub: TestHub, sessionId: string): Promise<string[]> {
  const app = await hub.app(sessionId);
  const received: string[] = [];
  answer(app, ({ type }) => {
    received.push(String(type));
    return {};
  });
  app.send(hello);
  await until(async () => (await sessions(hub)).some(({ id }) => id === sessionId));
  return received;
}

describe("a command without SESSION", () => {
  it("goes to the session that a client used last", async () => {
    const hub = await testHub();
    const [one, two] = [await addApp(hub, "one"), await addApp(hub, "two")];
    const act = (...args: string[]) =>
      runCli(["act", ...args, "type=press", "key=Enter", "--hub", hub.url, "--home", hub.home]);
    expect(await act()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("2 sessions are connected"),
    });
    expect((await sessions(hub)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([undefined, undefined]);

    expect(await act("two")).toMatchObject({ code: 0 });
    expect(await act()).toMatchObject({ code: 0 });
    expect([one, two]).toEqual([[], ["press", "press"]]);

    expect(await act("one")).toMatchObject({ code: 0 });
    expect(await act()).toMatchObject({ code: 0 });
    expect([one, two]).toEqual([
      ["press", "press"],
      ["press", "press"],
    ]);
  });

  it("goes to the tab in front, which follows the person", async () => {
    const hub = await testHub();
    await addApp(hub, "shop");
    const front = async () =>
      (await sessions(hub)).filter(({ active }) => active === true).map(({ id }) => id);
    const extension = await FakeExtension.connect(hub.relayUrl, [tab(1, { active: true }), tab(2)]);
    await until(async () => (await front())[0] === "tab-1");
    extension.send({ method: "tabUpdated", params: { tabId: 1, active: false } });
    extension.send({ method: "tabUpdated", params: { tabId: 2, active: true } });
    await until(async () => (await front())[0] === "tab-2");
    expect(await front()).toEqual(["tab-2"]);
  });
});

it("a tab counts as used when a CDP client acts in it, not when the client connects", async () => {
  const hub = await testHub();
  await FakeExtension.connect(hub.relayUrl, [tab(1), tab(2)]);
  const client = await CdpClient.connect(`${hub.relayUrl}/cdp?token=${hub.token}`);
  await client.attachAll();
  const used = async () =>
    (await sessions(hub)).filter(({ lastUsedAt }) => lastUsedAt !== undefined).map(({ id }) => id);
  await until(async () => (await sessions(hub)).length === 2);
  expect(await used()).toEqual([]);
  await client.ask("Page.reload", {}, client.session("T2"));
  expect(await used()).toEqual(["tab-2"]);
});
