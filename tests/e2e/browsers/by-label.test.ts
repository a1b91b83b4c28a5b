import { HubClient, requireHub } from "@debug-bridge/client";
import { launch } from "puppeteer-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { browsersWith } from "../../support/chrome/chrome-processes.js";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { auditRecords, auditText } from "../../support/hub/audit.js";
import { type HubProcess, newToken, startHub } from "../../support/hub/hub-processes.js";
import { servePage } from "../hub/stage.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

interface Started {
  readonly session: string;
  readonly hub: string;
  readonly leaseMs: number;
}

const PAGE = "<!doctype html><title>Shop</title><h1>Hello from a pool</h1>";

const clientOf = ({ ready, token }: HubProcess): HubClient =>
  new HubClient({ hub: ready.hub, token, name: "tester" });

async function ask(hub: HubClient, wanted: object = {}): Promise<Started> {
  return (await hub.post("/v1/browsers", wanted)) as Started;
}

test("a browser is started on the hub that has its labels, and used through another one [ARC-110]", async () => {
  const [bus, token, folder] = [buses.address(), newToken(), temporaryFolder()];
  const env = { TMPDIR: folder };
  const [entryHub, eu, us] = await Promise.all([
    startHub(bus, "entry", { token }),
    startHub(bus, "eu", { token, env, args: ["--browsers", "1", "--browser-label", "place=eu"] }),
    startHub(bus, "us", { token, env, args: ["--browsers", "1", "--browser-label", "place=us"] }),
  ]);
  const hub = clientOf(entryHub);
  onTestFinished(() => hub.close());
  const started = await ask(hub, { labels: { place: "us", browser: "chromium" } });
  expect(started).toEqual({
    session: expect.stringMatching(/^browser-[0-9a-f]{12}$/),
    hub: us.ready.name,
    leaseMs: 60_000,
  });
  expect(eu.ready.name).toMatch(/^eu-/);
  const { session } = started;
  const listed = (await hub.sessions()).find(({ id }) => id === session);
  expect(listed).toMatchObject({ kind: "browser", connected: true, hubName: started.hub });
  expect(await hub.command(session, { type: "request_ui_tree" })).toMatchObject({ success: true });
  const url = await servePage(PAGE, "");
  expect(await hub.command(session, { type: "navigate", url })).toMatchObject({ success: true });
  expect((await (await hub.session(session)).observe()).text).toContain("Hello from a pool");

  // The only one with this label is in use: the next request waits, until it is free again.
  const next = ask(hub, { labels: { place: "us" } });
  const other = await ask(hub, { labels: { place: "eu" } });
  expect(other.hub).toBe(eu.ready.name);
  await expect(ask(hub, { labels: { place: "us" }, waitMs: 500 })).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringContaining("place=us"),
  });
  expect(browsersWith(folder)).toHaveLength(2);
  await hub.delete(`/v1/sessions/${session}/browser`);
  expect((await next).hub).toBe(us.ready.name);
  await expect(hub.delete(`/v1/sessions/${session}/browser`)).rejects.toMatchObject({
    code: "session_not_found",
  });

  // Hubs that end take their browsers with them, however they end.
  eu.kill("SIGTERM");
  us.kill("SIGKILL");
  await until(() => browsersWith(folder).length === 0);
});

test("a lease ends unless it is renewed, a browser that was killed is replaced, and a hub alone has browsers too", async () => {
  const folder = temporaryFolder();
  const { ready } = await startUp(["--browsers", "1"], undefined, { TMPDIR: folder });
  const home = ready.tokenFile.replace(/\/token$/, "");
  const hub = new HubClient({ hub: () => requireHub({ home }) });
  onTestFinished(() => hub.close());
  const first = await ask(hub, { leaseMs: 20_000 });
  const path = `/v1/sessions/${first.session}/browser`;
  const renewed = (await hub.post(path, { leaseMs: 60_000 })) as { until: number };
  expect(renewed.until).toBeGreaterThan(Date.now() + 50_000);
  // It is computed for each answer from a clock that the time of day does not move, so it can differ by a little.
  const shown = expect.closeTo(renewed.until, -2);
  expect(await hub.get(path)).toMatchObject({ session: first.session, leaseMs: 60_000, until: shown });
  const waiting = ask(hub, { leaseMs: 1_000 });
  for (const pid of browsersWith(folder)) process.kill(pid, "SIGKILL");
  const second = await waiting;
  await expect(hub.get(path)).rejects.toMatchObject({ code: "session_not_found" });
  // Nobody renews the second: it makes room for the third.
  const third = await ask(hub);
  expect(third.session).not.toBe(second.session);
  await until(() => browsersWith(folder).length === 1);
});

test("browsers that run elsewhere are offered, one client each, in a separate context", async () => {
  const elsewhere = await launch({
    executablePath: PAGE_CHROMIUM.executablePath,
    args: [...PAGE_CHROMIUM.args],
  });
  onTestFinished(() => elsewhere.close());
  const address = `http://${new URL(elsewhere.wsEndpoint()).host}`;
  const { ready } = await startUp(["--browser-at", address, "--browser-at", elsewhere.wsEndpoint()]);
  const home = ready.tokenFile.replace(/\/token$/, "");
  const hub = new HubClient({ hub: () => requireHub({ home }) });
  onTestFinished(() => hub.close());
  const cdp = await elsewhere.target().createCDPSession();
  const contexts = async (): Promise<number> =>
    (await cdp.send("Target.getBrowserContexts")).browserContextIds.length;
  expect(await contexts()).toBe(0);
  const started = await Promise.all([ask(hub), ask(hub)]);
  expect(await contexts()).toBe(2);
  const url = await servePage(PAGE, "");
  for (const { session } of started) {
    await hub.command(session, { type: "navigate", url });
    expect((await (await hub.session(session)).observe()).text).toContain("Hello from a pool");
  }
  await expect(ask(hub, { waitMs: 300 })).rejects.toMatchObject({ code: "timeout" });
  for (const { session } of started) await hub.delete(`/v1/sessions/${session}/browser`);
  await until(async () => (await contexts()) === 0);
  expect(elsewhere.connected).toBe(true);
});

test("a hub that is killed leaves nothing behind in a browser that runs elsewhere", async () => {
  const elsewhere = await launch({
    executablePath: PAGE_CHROMIUM.executablePath,
    args: [...PAGE_CHROMIUM.args],
  });
  onTestFinished(() => elsewhere.close());
  const { ready, child } = await startUp(["--browser-at", elsewhere.wsEndpoint()]);
  const home = ready.tokenFile.replace(/\/token$/, "");
  const hub = new HubClient({ hub: () => requireHub({ home }) });
  onTestFinished(() => hub.close());
  const cdp = await elsewhere.target().createCDPSession();
  const contexts = async (): Promise<number> =>
    (await cdp.send("Target.getBrowserContexts")).browserContextIds.length;
  const { session } = await ask(hub);
  await hub.command(session, { type: "navigate", url: await servePage(PAGE, "") });
  expect(await contexts()).toBe(1);
  child.kill("SIGKILL");
  await until(async () => (await contexts()) === 0);
  expect(elsewhere.connected).toBe(true);
});

test("browsers are started, listed, renewed and ended on the command line, and the audit log says by whom", async () => {
  const [bus, token, folder] = [buses.address(), newToken(), temporaryFolder()];
  const args = ["--browsers", "1", "--browser-label", "place=eu"];
  const [entryHub, pool] = await Promise.all([
    startHub(bus, "entry", { token }),
    startHub(bus, "pool", { token, env: { TMPDIR: folder }, args }),
  ]);
  const cli = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(["browsers", ...words, "--home", entryHub.home]);
    expect(`${code} ${stderr}`).toBe("0 ");
    return stdout.trim();
  };
  const session = await cli("start", "--label", "place=eu", "--lease", "10m");
  expect(session).toMatch(/^browser-[0-9a-f]{12}$/);
  const listed = await cli("list");
  expect(listed).toContain(`${pool.ready.name}  1 of 1 browser in use`);
  expect(listed).toContain("place=eu");
  expect(listed).toContain(session);
  const { until: end } = JSON.parse(await cli("renew", session, "--lease", "20m", "--json")) as {
    until: number;
  };
  expect(end).toBeGreaterThan(Date.now() + 15 * 60_000);
  await cli("stop", session);
  await until(() => browsersWith(folder).length === 0);
  expect((await runCli(["browsers", "stop", session, "--home", entryHub.home])).code).toBe(1);
  // The audit log is written a moment later.
  const started = { who: "http:cli", what: "start a browser", target: "place=eu", outcome: "done" };
  const ended = { who: "http:cli", what: "end a browser", session, outcome: "done" };
  for (const [home, entry] of [[entryHub.home, started] as const, [pool.home, ended] as const])
    await vi.waitFor(() => expect(auditRecords(home)).toContainEqual(expect.objectContaining(entry)), 60_000);
});

test("requests that are not valid, and those to a read-only hub, are refused", async () => {
  const { ready } = await startUp(["--browsers", "1", "--read-only"]);
  const home = ready.tokenFile.replace(/\/token$/, "");
  const readOnly = new HubClient({ hub: () => requireHub({ home }) });
  await expect(ask(readOnly)).rejects.toMatchObject({ code: "read_only" });
  await until(() => auditText(home).includes('"what":"start a browser"'));
  const { ready: other } = await startUp();
  const free = new HubClient({ hub: () => requireHub({ home: other.tokenFile.replace(/\/token$/, "") }) });
  for (const wanted of [
    { labels: { "A b": "x" } },
    { labels: { place: "a,b" } },
    { leaseMs: 1 },
    { extra: 1 },
    [],
  ])
    await expect(ask(free, wanted)).rejects.toMatchObject({ code: "invalid_message" });
  await expect(ask(free, { waitMs: 50 })).rejects.toMatchObject({ code: "not_supported" });
});
