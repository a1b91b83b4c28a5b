import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../fixtures.js";
import { ConsoleClient, SOURCE } from "../support/console/console-client.js";
import { consoleTexts } from "../support/console/console-records.js";
import { answer, hello, type TestHub, testHub } from "../support/hub/hub.js";
import type { WireClient } from "../support/hub/wire-client.js";

const SHOP = "http://localhost:3000";
const EVIL = "http://localhost:6666";
const fill = { type: "type", target: { text: "Password" }, text: "correct horse" };

async function page(hub: TestHub, sessionId: string, origin?: string): Promise<WireClient> {
  const app = await hub.app(sessionId, origin === undefined ? {} : { origin });
  app.send({ ...hello, url: `${origin ?? "http://localhost:3000"}/`, instanceId: `i-${Math.random()}` });
  return app;
}

/** Expects that an impostor is sent away, and that the commands of agents reach only the real page. */
async function cannotJoin(owner: string | undefined, impostor: string | undefined): Promise<void> {
  const hub = await testHub();
  const real = await page(hub, "shop", owner);
  await real.next("welcome");
  answer(real);
  const other = await page(hub, "shop", impostor);
  const { code, reason } = await other.closed;
  expect(code).toBe(1008);
  expect(reason).toContain('session "shop" belongs to');
  expect(await other.next("bridge_error")).toMatchObject({ code: "forbidden_origin" });
  const result = await hub.api("/v1/sessions/shop/commands", { method: "POST", body: JSON.stringify(fill) });
  expect(await result.json()).toMatchObject({ success: true, origin: "app" });
  expect(real.frames.join()).toContain("correct horse");
  expect(other.frames.join()).not.toContain("correct horse");
}

describe("V14: a session belongs to the origin of its first page", () => {
  it("a page of another origin cannot join it or get what is typed", () => cannotJoin(SHOP, EVIL));
  it("a program without an origin cannot join that of a page", () => cannotJoin(SHOP, undefined));
  it("a page cannot join that of a program", () => cannotJoin(undefined, EVIL));

  it("the name stays taken while the app is away for a moment, and its timeline is its own", async () => {
    const hub = await testHub();
    const real = await page(hub, "shop", SHOP);
    await real.next("welcome");
    real.socket.close();
    await until(async () => (await (await hub.api("/v1/sessions/shop")).json()).apps === 0);
    const other = await page(hub, "shop", EVIL);
    expect((await other.closed).code).toBe(1008);
    const again = await page(hub, "shop", SHOP);
    await again.next("welcome");
    const { events } = await (await hub.api("/v1/sessions/shop/events")).json();
    expect(events.map(({ origin }: { origin: string }) => origin)).toEqual([SHOP, SHOP]);
  });

  it("records and the list show the origin of the connection, whatever the page says of itself", async () => {
    const hub = await testHub();
    const app = await hub.app("s", { origin: EVIL });
    app.send({ ...hello, url: "https://bank.example/", title: "Bank", instanceId: "i1" });
    app.send({ type: "console", level: "log", args: ["pay"] });
    const { events } = await until(async () => {
      const body = await (await hub.api("/v1/sessions/s/events")).json();
      return body.events.length === 2 && body;
    });
    expect(events).toMatchObject([
      { type: "hello", origin: EVIL, instanceId: "i1" },
      { type: "console", origin: EVIL, instanceId: "i1", data: { origin: EVIL } },
    ]);
    expect(await (await hub.api("/v1/sessions/s")).json()).toMatchObject({ origin: EVIL });
  });

  it.each(["tab", "agent", "browser"])("an app that claims to be a %s is an app", async (kind) => {
    const hub = await testHub();
    const app = await hub.app("s", { origin: EVIL });
    app.send({ ...hello, kind, instanceId: "i1" });
    await app.next("welcome");
    expect(await (await hub.api("/v1/sessions/s")).json()).toMatchObject({ kind: "app" });
  });

  it.each(["tab-7", "browser-4711", "debug_20260123_131000_abc1", "agent:helper"])(
    "an app cannot call its session %s, which is a name of the hub",
    async (sessionId) => {
      const hub = await testHub();
      const app = await hub.app(sessionId, { origin: EVIL });
      expect(await app.closed).toMatchObject({
        code: 1008,
        reason: expect.stringContaining("session names like"),
      });
    },
  );
});

describe("V14: a program on the console wire", () => {
  const line = (client: ConsoleClient, text: string, callId: string, url = SOURCE.url): void =>
    client.send(
      "console_event",
      { method: "log", args: [{ type: "string", value: text }], callId },
      { source: { ...SOURCE, url } },
    );

  it("cannot write into the timeline of an app by naming its address and page load, when it proved nothing", async () => {
    const hub = await testHub({ auth: "none" });
    const app = await hub.app("shop", { origin: "http://localhost:3000" });
    app.send({ ...hello, instanceId: "i1" });
    await app.next("welcome");
    const client = await ConsoleClient.greeted(hub.consoleUrl, { headers: { authorization: "" } });
    line(client, "forged", "i1:1");
    await until(async () => (await consoleTexts(hub)).includes("forged"));
    expect(await consoleTexts(hub, "shop")).toEqual([]);
  });

  it("cannot do so either, with proof, for a document of another origin", async () => {
    const hub = await testHub();
    const app = await hub.app("shop", { origin: "http://localhost:3000" });
    app.send({ ...hello, instanceId: "i1" });
    await app.next("welcome");
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    line(client, "of another page", "i1:1", "http://localhost:6666/");
    line(client, "of the app", "i1:2");
    await until(async () => (await consoleTexts(hub, "shop")).includes("of the app"));
    await until(async () => (await consoleTexts(hub)).includes("of another page"));
    expect(await consoleTexts(hub, "shop")).toEqual(["of the app"]);
  });

  it("cannot write into the session of a tab that belongs to the extension", async () => {
    const hub = await testHub({ auth: "none" });
    hub.joinAsApp("tab-7", { kind: "tab" });
    const client = await ConsoleClient.greeted(hub.consoleUrl, { headers: { authorization: "" } });
    line(client, "forged", "x:1");
    await until(async () => (await consoleTexts(hub, "console-tab-7")).includes("forged"));
    expect(await consoleTexts(hub, "tab-7")).toEqual([]);
  });
});

describe("V18: a folder below --agent-dir", () => {
  function agentFolder(root: string, name: string, id: string): void {
    const folder = join(root, "debug", "sessions", name);
    mkdirSync(folder, { recursive: true });
    const about = { id, pid: process.pid, startTime: new Date().toISOString(), cwd: "/" };
    writeFileSync(join(folder, "events.jsonl"), "");
    writeFileSync(join(folder, "commands.jsonl"), "");
    writeFileSync(join(folder, "session.json"), JSON.stringify(about));
    writeFileSync(join(root, "debug", "index.json"), JSON.stringify({ sessions: [{ ...about, id: name }] }));
  }

  it("that is called like an app's session does not take its commands", async () => {
    const root = temporaryFolder();
    agentFolder(root, "shop", "shop");
    const hub = await testHub({ agentDirs: [root] });
    await until(async () => (await hub.api("/v1/sessions/agent:shop")).ok);
    const app = await page(hub, "shop", SHOP);
    await app.next("welcome");
    answer(app);
    const result = await hub.api("/v1/sessions/shop/commands", {
      method: "POST",
      body: JSON.stringify(fill),
    });
    expect(await result.json()).toMatchObject({ success: true, origin: "app" });
    expect(await (await hub.api("/v1/sessions/agent:shop")).json()).toMatchObject({ kind: "agent" });
  });
});
