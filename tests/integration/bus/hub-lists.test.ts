import { connect, HubClient } from "@debug-bridge/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { type HubProcess, startHubs } from "../../support/hub/hub-processes.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

const CLICK = { type: "click", target: { text: "Save" } } as const;

const twoHubs = async (): Promise<[HubProcess, HubProcess]> =>
  (await startHubs(buses.address(), ["a", "b"])) as [HubProcess, HubProcess];

const addresses = (hubs: readonly HubProcess[]): string[] => hubs.map(({ ready }) => ready.hub);

async function appOn(hubs: readonly HubProcess[]): Promise<ResumingApp> {
  const app = new ResumingApp(addresses(hubs), "shop", "page-1");
  onTestFinished(() => app.end());
  await until(() => app.connections === 1);
  return app;
}

test("a client with a list goes on at the next hub when its own is killed [ARC-112]", async () => {
  const [a, b] = await twoHubs();
  const app = await appOn([a, b]);
  const hub = new HubClient({ hub: addresses([a, b]), token: a.token, name: "tester" });
  onTestFinished(() => hub.close());
  await (await hub.session("shop")).act(CLICK);
  expect(hub.url).toBe(a.ready.hub);
  a.kill();
  await until(() => app.connections === 2);
  await (await hub.session("shop")).act(CLICK);
  expect(hub.url).toBe(b.ready.hub);
  expect((await hub.command("shop", CLICK)).success).toBe(true);
  expect((await hub.sessions()).map(({ id }) => id)).toEqual(["shop"]);
  expect(app.commands).toHaveLength(3);
});

test.each(["a WebSocket", "HTTP"])(
  "an act over %s whose hub is killed has an unknown outcome, and is done once",
  async (way) => {
    const [a, b] = await twoHubs();
    const app = await appOn([a, b]);
    app.isAnswering = false;
    const hub = new HubClient({ hub: addresses([a, b]), token: a.token });
    onTestFinished(() => hub.close());
    const acted = way === "HTTP" ? hub.command("shop", CLICK) : (await hub.session("shop")).act(CLICK);
    const outcome = acted.then(
      () => "done",
      ({ code }: { code: string }) => code,
    );
    await until(() => app.commands.length === 1);
    a.kill();
    expect(await outcome).toBe("outcome_unknown");
    app.isAnswering = true;
    await until(() => app.connections === 2);
    // The next one arrives, and nothing before it.
    expect((await hub.command("shop", { ...CLICK, requestId: "next" })).success).toBe(true);
    expect(app.commands).toHaveLength(2);
  },
);

test("a reader that continues at the next hub gets each record of the app once", async () => {
  const [a, b] = await twoHubs();
  const app = await appOn([a, b]);
  const hub = addresses([a, b]);
  const numbers: number[] = [];
  let since = 0;
  const read = async (until: number): Promise<void> => {
    const client = await connect({ hub, token: a.token, sessionId: "shop" });
    for await (const { type, sequence, data } of client.events(since)) {
      since = sequence;
      if (type === "console") numbers.push(Number(/number (\d+)/.exec(JSON.stringify(data))?.[1]));
      if (numbers.at(-1) === until) break;
    }
    client.close();
  };
  const say = (number: number): void =>
    app.send({ type: "console", level: "log", args: [`number ${number}`] });
  for (let number = 1; number <= 50; number++) say(number);
  await read(50);
  a.kill();
  for (let number = 51; number <= 100; number++) say(number);
  await until(() => app.connections === 2);
  await read(100);
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});

test("commands take several hubs with --hub and $DEBUG_BRIDGE_HUB, and use the first that answers [ARC-112]", async () => {
  const [a, b] = await twoHubs();
  await appOn([a, b]);
  const list = addresses([a, b]).join(",");
  const ask = async (args: string[], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runCli(["sessions", "--json", "--home", b.home, ...args], env);
    expect(`${code} ${stderr}`).toBe("0 ");
    return (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
  };
  expect(await ask(["--hub", list])).toEqual(["shop"]);
  a.kill();
  expect(await until(async () => (await ask(["--hub", list])).length === 1)).toBe(true);
  expect(await ask([], { DEBUG_BRIDGE_HUB: list })).toEqual(["shop"]);
  b.kill();
  await b.finished;
  const { code, stderr } = await runCli(["sessions", "--home", b.home, "--hub", list]);
  expect(code).toBe(1);
  expect(stderr).toContain(`no hub answers at ${a.ready.hub} or ${b.ready.hub}`);
});
