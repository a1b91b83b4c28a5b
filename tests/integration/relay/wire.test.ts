import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { type TestHub, testHub } from "../../support/hub.js";
import { CdpClient } from "./cdp-client.js";
import { FakeExtension, tab } from "./fake-extension.js";

async function connected(
  tabs = [tab(1), tab(2)],
  options: Parameters<typeof testHub>[0] = {},
): Promise<{ hub: TestHub; extension: FakeExtension; client: CdpClient; url: string }> {
  // The hub looks into tabs itself; here, only the clients of the test do.
  const hub = await testHub({ driveTabs: false, ...options });
  const extension = await FakeExtension.connect(hub.relayUrl, tabs);
  const url = `${hub.relayUrl}/cdp?token=${hub.token}`;
  return { hub, extension, url, client: await CdpClient.connect(url) };
}

const infoOf = ({ params }: { params?: Record<string, unknown> }): Record<string, unknown> =>
  params?.targetInfo as Record<string, unknown>;

describe("commands for the browser", () => {
  it("[REL-018] answers Browser.getVersion with what the extension said of its browser", async () => {
    const { client } = await connected();
    expect(await client.result("Browser.getVersion")).toMatchObject({
      protocolVersion: "1.3",
      product: "Chrome/156.0.1.2",
      userAgent: "Test Chrome",
    });
  });

  it("[REL-019] answers Browser.setDownloadBehavior with nothing, and does nothing in the browser", async () => {
    const { client, extension } = await connected();
    const params = { behavior: "allowAndName", downloadPath: "/nowhere", eventsEnabled: true };
    expect(await client.result("Browser.setDownloadBehavior", params)).toEqual({});
    expect(extension.received.map(({ method }) => method)).toEqual(["listTabs"]);
  });

  it("[REL-020, REL-022, REL-037, REL-038] tells of all targets, each in the one browser context", async () => {
    const { client } = await connected();
    await client.result("Target.setDiscoverTargets", { discover: true });
    const infos = client.events("Target.targetCreated").map(infoOf);
    expect(infos.map(({ targetId }) => targetId)).toEqual(["T1", "T2"]);
    const { browserContextIds } = await client.result("Target.getBrowserContexts");
    expect(browserContextIds).toHaveLength(1);
    const { targetInfos } = (await client.result("Target.getTargets")) as { targetInfos: object[] };
    for (const info of [...infos, ...targetInfos] as Record<string, unknown>[])
      expect(info.browserContextId).toBe((browserContextIds as string[])[0]);
    expect(await client.result("Target.getTargetInfo", { targetId: "T2" })).toMatchObject({
      targetInfo: { targetId: "T2", type: "page", url: "http://shop.test/2", title: "Tab 2" },
    });
  });

  it("[REL-021, REL-023, REL-031] attaches to all tabs at once, and the debugger to none", async () => {
    const { client, extension } = await connected(Array.from({ length: 60 }, (_, i) => tab(i + 1)));
    await client.attachAll();
    expect(client.events("Target.attachedToTarget")).toHaveLength(60);
    const { sessionId } = await client.result("Target.attachToTarget", { targetId: "T7", flatten: true });
    expect(sessionId).toBe(client.session("T7"));
    expect(extension.received.map(({ method }) => method)).toEqual(["listTabs"]);
  });

  it("[REL-011, REL-012, REL-024] opens and closes tabs through the extension", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const created = await client.ask("Target.createTarget", { url: "http://shop.test/new" });
    expect(created.result).toEqual({ targetId: "T77" });
    const order = client.messages.filter(
      (message) => message === created || infoOf(message)?.targetId === "T77",
    );
    expect(order.at(-1)).toBe(created);
    expect(order).toHaveLength(2);
    expect(extension.received.at(-1)?.method).not.toBe("attachTab");
    expect(await client.result("Target.closeTarget", { targetId: "T77" })).toEqual({ success: true });
    expect(extension.received.find(({ method }) => method === "closeTab")?.params).toEqual({ tabId: 77 });
    await until(() => client.events("Target.detachedFromTarget").length === 1);
  });

  it("[REL-070] forgets a tab that was closed, in every answer", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    await client.result("Target.setDiscoverTargets", { discover: true });
    extension.say({ method: "tabClosed", params: { tabId: 1 } });
    await until(() => client.events("Target.targetDestroyed").length === 1);
    const gone = client.session("T1");
    expect(client.events("Target.detachedFromTarget")[0]?.params).toEqual({
      sessionId: gone,
      targetId: "T1",
    });
    const { targetInfos } = (await client.result("Target.getTargets")) as { targetInfos: object[] };
    expect(JSON.stringify(targetInfos)).not.toContain("T1");
    expect((await client.ask("Runtime.evaluate", { expression: "1" }, gone)).error?.code).toBe(-32_001);
  });

  it("refuses what reaches beyond tabs, with an audit record", async () => {
    const { client, hub } = await connected();
    for (const method of [
      "Browser.close",
      "Browser.crash",
      "SystemInfo.getInfo",
      "Target.exposeDevToolsProtocol",
    ]) {
      const { error } = await client.ask(method);
      expect(error?.message).toContain(method);
      await until(() => hub.audit().includes(`"what":"${method}"`));
    }
    expect((await client.ask("Target.createBrowserContext")).error?.message).toContain(
      "browser.contexts()[0]",
    );
  });
});

describe("lazy attaching", () => {
  it("[REL-034, REL-035] answers what only prepares a page without attaching", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const session = client.session("T1");
    for (const method of [
      ...["Page.enable", "Log.enable", "Runtime.enable", "Network.enable", "Runtime.runIfWaitingForDebugger"],
      ...["Performance.enable", "Audits.enable", "DOM.enable", "Inspector.enable", "WebMCP.enable"],
      ...["Network.setCacheDisabled", "Network.setExtraHTTPHeaders", "Network.setBypassServiceWorker"],
      ...[
        "Emulation.setFocusEmulationEnabled",
        "Emulation.setEmulatedMedia",
        "Emulation.setTouchEmulationEnabled",
      ],
      ...[
        "Emulation.setDeviceMetricsOverride",
        "Emulation.setUserAgentOverride",
        "Emulation.setLocaleOverride",
      ],
      ...["Emulation.setTimezoneOverride", "Emulation.setGeolocationOverride", "Page.setBypassCSP"],
      ...[
        "Page.setFontFamilies",
        "Page.setInterceptFileChooserDialog",
        "Security.setIgnoreCertificateErrors",
      ],
      ...["Fetch.enable", "Fetch.disable", "Page.setLifecycleEventsEnabled", "Target.setAutoAttach"],
      ...[
        "Runtime.addBinding",
        "Runtime.removeBinding",
        "Network.emulateNetworkConditions",
        "Network.disable",
      ],
      ...["Emulation.setScriptExecutionDisabled", "Emulation.clearDeviceMetricsOverride", "Log.disable"],
      ...[
        "Emulation.setCPUThrottlingRate",
        "Emulation.setDefaultBackgroundColorOverride",
        "ServiceWorker.enable",
      ],
    ])
      expect(await client.result(method, {}, session)).toEqual({});
    expect(await client.result("Page.getFrameTree", {}, session)).toMatchObject({
      frameTree: { frame: { id: "T1", url: "http://shop.test/1" } },
    });
    const world = { frameId: "T1", worldName: "utility" };
    const { executionContextId } = await client.result("Page.createIsolatedWorld", world, session);
    const contexts = client
      .events("Runtime.executionContextCreated", session)
      .map(({ params }) => params?.context as { id: number; name: string });
    expect(contexts.map(({ name }) => name)).toEqual(["", "utility"]);
    expect(contexts[1]?.id).toBe(executionContextId);
    expect(extension.received.map(({ method }) => method)).toEqual(["listTabs"]);
  });

  it("[REL-009, REL-013, REL-025, REL-032] attaches the tab that a command needs, and only that", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const session = client.session("T2");
    await client.result("Runtime.enable", {}, session);
    const context = client.events("Runtime.executionContextCreated", session)[0]?.params?.context as {
      id: number;
    };
    const params = { expression: "1", contextId: context.id };
    const { result } = (await client.result("Runtime.evaluate", params, session)) as {
      result: { value: string };
    };
    expect(JSON.parse(result.value)).toEqual({ expression: "1", contextId: 3 });
    expect(
      extension.received.filter(({ method }) => method === "attachTab").map(({ params }) => params),
    ).toEqual([{ tabId: 2, sessionId: expect.any(String) }]);
    expect(extension.cdp(1)).toEqual([]);
    expect(client.events("Runtime.executionContextCreated", session)).toHaveLength(1);
    expect(extension.invalid).toEqual([]);
  });

  it("[REL-033] attaches once when two clients ask at the same moment", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    await Promise.all(
      [client, other, client].map((each) =>
        each.result("Runtime.evaluate", { expression: "1" }, each.session("T1")),
      ),
    );
    expect(extension.count("attachTab")).toBe(1);
  });

  it("sends again what was set up, in order, before the first real command", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const session = client.session("T1");
    await client.result("Network.enable", {}, session);
    await client.result("Page.addScriptToEvaluateOnNewDocument", { source: "1" }, session);
    await client.result("Emulation.setEmulatedMedia", { media: "print" }, session);
    await client.result("Emulation.setEmulatedMedia", { media: "screen" }, session);
    await client.result("Page.captureScreenshot", {}, session);
    expect(extension.cdp(1)).toEqual([
      "Page.getFrameTree",
      "Network.enable",
      "Page.addScriptToEvaluateOnNewDocument",
      "Emulation.setEmulatedMedia",
      "Page.captureScreenshot",
    ]);
  });

  it("says why a tab cannot be attached, and tries again when asked again", async () => {
    const { client, extension } = await connected();
    extension.answers.attachTab = () => "not_supported: tab 1 is restricted";
    await client.attachAll();
    const refused = await client.ask("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(refused.error?.message).toContain("tab 1 is restricted");
    delete extension.answers.attachTab;
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
  });

  it("[REL-010] lets go of a tab when its last client leaves", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    await client.close();
    await until(() => extension.count("detachTab") === 1);
  });
});

describe("several clients", () => {
  it("[REL-014, REL-016, REL-045] each get their own answers, and the events of what they look at", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    const [mine, theirs] = [client.session("T1"), other.session("T2")];
    for (const [each, session] of [
      [client, mine],
      [other, theirs],
    ] as const) {
      await each.result("Network.enable", {}, session);
      await each.result("Runtime.evaluate", { expression: "1" }, session);
    }
    extension.event(1, "Network.dataReceived", { requestId: "a" });
    extension.event(2, "Network.dataReceived", { requestId: "b" });
    await until(() => client.events("Network.dataReceived").length === 1);
    await until(() => other.events("Network.dataReceived").length === 1);
    expect(client.events("Network.dataReceived")[0]).toEqual({
      method: "Network.dataReceived",
      params: { requestId: "a" },
      sessionId: mine,
    });
    await Promise.all(
      [client, other].map((each) => each.result("Target.setDiscoverTargets", { discover: true })),
    );
    extension.say({ method: "tabUpdated", params: { tabId: 2, title: "New title" } });
    await until(() => client.events("Target.targetInfoChanged").length === 1);
    expect(infoOf(client.events("Target.targetInfoChanged")[0] ?? {})).toMatchObject({ title: "New title" });
  });

  it("[REL-027] tells a second one of the contexts that are there, without asking Chrome again", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    await client.result("Runtime.enable", {}, client.session("T1"));
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    const { sessionId } = await other.result("Target.attachToTarget", { targetId: "T1", flatten: true });
    expect(sessionId).toBe(other.session("T1"));
    await other.result("Page.captureScreenshot", {}, String(sessionId));
    await other.result("Runtime.enable", {}, String(sessionId));
    await other.result("Runtime.enable", {}, String(sessionId));
    const contexts = other.events("Runtime.executionContextCreated", String(sessionId));
    expect(
      contexts.map(({ params }) => Number((params?.context as { id?: number } | undefined)?.id)),
    ).toEqual([3, 3]);
    expect(extension.cdp(1).filter((method) => method === "Runtime.enable")).toHaveLength(1);
  });

  it("keep what the other needs: a domain is disabled when nobody uses it, scripts leave with their client", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    for (const each of [client, other]) {
      await each.result("Page.captureScreenshot", {}, each.session("T1"));
      await each.result("Network.enable", {}, each.session("T1"));
    }
    await client.result("Page.addScriptToEvaluateOnNewDocument", { source: "1" }, client.session("T1"));
    await client.result("Network.disable", {}, client.session("T1"));
    expect(extension.cdp(1)).not.toContain("Network.disable");
    await client.close();
    await until(() => extension.cdp(1).includes("Page.removeScriptToEvaluateOnNewDocument"));
    await other.result("Network.disable", {}, other.session("T1"));
    expect(extension.cdp(1)).toContain("Network.disable");
    expect(extension.count("detachTab")).toBe(0);
  });

  it("hand dialogs to the one that worked last", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    for (const each of [client, other]) {
      await each.result("Page.enable", {}, each.session("T1"));
      await each.result("Runtime.evaluate", { expression: "1" }, each.session("T1"));
    }
    extension.event(1, "Page.javascriptDialogOpening", { message: "?", type: "alert", url: "" });
    await until(() => other.events("Page.javascriptDialogOpening").length === 1);
    await client.result("Page.captureScreenshot", {}, client.session("T1"));
    expect(client.events("Page.javascriptDialogOpening")).toEqual([]);
  });

  it("[REL-046, REL-047, REL-048] are refused while one is active, where only one may be", async () => {
    const { client, hub, url } = await connected([tab(1)], { clientMode: "single-active" });
    await expect(CdpClient.connect(url)).rejects.toThrow(/HTTP 409.*client-slot/);
    const slot = async (): Promise<Record<string, unknown>> =>
      (await fetch(`${hub.relayUrl.replace("ws", "http")}/client-slot`)).json() as Promise<never>;
    expect(await slot()).toEqual({
      mode: "single-active",
      busy: true,
      activeClientId: expect.any(String),
      connectedAt: expect.stringMatching(/^\d{4}-/),
    });
    await client.close();
    await until(async () => (await slot()).busy === false);
    await CdpClient.connect(url);
  });
});

describe("frames and workers inside a page", () => {
  it("have sessions of their own, at any depth, that end with them", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const session = client.session("T1");
    await client.result("Target.setAutoAttach", { autoAttach: true, flatten: true }, session);
    await client.result("Page.captureScreenshot", {}, session);
    const child = (id: string): object => ({
      sessionId: id,
      targetInfo: {
        targetId: `frame-${id}`,
        type: "iframe",
        url: "http://far.test/",
        title: "",
        attached: true,
      },
      waitingForDebugger: true,
    });
    extension.event(1, "Target.attachedToTarget", child("A"));
    await until(() => client.events("Target.attachedToTarget", session).length === 1);
    const inner = client.session("frame-A");
    expect(inner).not.toBe("A");
    await client.result("Target.setAutoAttach", { autoAttach: true, flatten: true }, inner);
    extension.event(1, "Target.attachedToTarget", child("B"), "A");
    await until(() => client.events("Target.attachedToTarget", inner).length === 1);
    const deep = client.session("frame-B");
    await client.result("Runtime.runIfWaitingForDebugger", {}, deep);
    await client.result("Runtime.evaluate", { expression: "1" }, deep);
    expect(extension.received.at(-1)?.params).toMatchObject({
      childSessionId: "B",
      method: "Runtime.evaluate",
    });
    extension.event(1, "Target.detachedFromTarget", { sessionId: "A", targetId: "frame-A" });
    await until(() => client.events("Target.detachedFromTarget", session).length === 1);
    expect(client.events("Target.detachedFromTarget").map(({ params }) => params?.sessionId)).toEqual([
      deep,
      inner,
    ]);
  });
});

describe("when things break", () => {
  it("[REL-069] answers what is pending when the extension vanishes: the outcome is unknown", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const session = client.session("T1");
    await client.result("Page.captureScreenshot", {}, session);
    extension.silent.add("Runtime.evaluate");
    const asked = client.ask("Runtime.evaluate", { expression: "pay()" }, session);
    await until(() => extension.cdp(1).includes("Runtime.evaluate"));
    extension.socket.terminate();
    const { error } = await asked;
    expect(error?.message).toContain("outcome unknown");
    expect(error?.data).toBe("outcome_unknown");
  });

  it("[REL-030] goes on when the extension is back, with its tabs still attached", async () => {
    const { client, extension, hub } = await connected([tab(1)]);
    await client.attachAll();
    const session = client.session("T1");
    await client.result("Runtime.enable", {}, session);
    await client.result("Page.captureScreenshot", {}, session);
    extension.socket.terminate();
    await until(async () => {
      const health = (await (await fetch(`${hub.relayUrl.replace("ws", "http")}/healthz`)).json()) as {
        extension: boolean;
      };
      return !health.extension;
    });
    const waiting = client.result("Runtime.evaluate", { expression: "2" }, session);
    const back = await FakeExtension.connect(hub.relayUrl, [tab(1, { attached: true })]);
    await waiting;
    expect(back.count("attachTab")).toBe(0);
    expect(client.events("Target.detachedFromTarget")).toEqual([]);
    expect(client.events("Runtime.executionContextCreated", session)).toHaveLength(1);
  });

  it("says so when no browser comes", async () => {
    const { client, extension } = await connected([tab(1)]);
    await client.attachAll();
    extension.socket.terminate();
    await until(() => extension.socket.readyState === 3);
    const started = Date.now();
    const { error } = await client.ask("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(error?.message).toContain("no browser is connected");
    expect(Date.now() - started).toBeLessThan(5_500);
  });

  it("[REL-015, REL-041, REL-042] lets go of all tabs when the person cancels, and attaches again when asked", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const sessions = [client.session("T1"), client.session("T2")];
    for (const session of sessions) {
      await client.result("Runtime.enable", {}, session);
      await client.result("Page.captureScreenshot", {}, session);
    }
    extension.say({ method: "tabDetached", params: { tabId: 1, reason: "canceled_by_user" } });
    for (const session of sessions)
      await until(() => client.events("Runtime.executionContextsCleared", session).length === 1);
    expect(client.events("Target.detachedFromTarget")).toEqual([]);
    for (const session of sessions) {
      const newest = client.events("Runtime.executionContextCreated", session).at(-1)?.params?.context as {
        id: number;
      };
      const { result } = (await client.result(
        "Runtime.evaluate",
        { expression: "1", contextId: newest.id },
        session,
      )) as { result: { value: string } };
      expect(JSON.parse(result.value).contextId).toBe(3);
    }
    expect(extension.count("attachTab")).toBe(4);
  });

  it("a client that talks nonsense is told so, and the others do not notice", async () => {
    const { client, url } = await connected();
    const other = await CdpClient.connect(url);
    for (const text of ["", "{", "null", "[]", '{"id":"x"}', '{"id":1}', '{"id":1,"method":"a b"}'])
      client.socket.send(text);
    await until(() => client.messages.filter(({ error }) => error !== undefined).length === 7);
    expect(await other.result("Browser.getVersion")).toBeDefined();
    expect(await client.result("Browser.getVersion")).toBeDefined();
  });

  it("an extension that talks nonsense does no harm", async () => {
    const { client, extension } = await connected();
    for (const text of ["", "{", '{"id":1}', '{"id":999,"result":{}}', '{"method":"cdpEvent","params":{}}'])
      extension.socket.send(text);
    expect(await client.result("Browser.getVersion")).toBeDefined();
  });
});

describe("cdp-url", () => {
  it("[REL-044, REL-067] holds the client's address, for its owner only, while the hub runs", async () => {
    const hub = await testHub();
    const file = join(hub.home, "cdp-url");
    expect(readFileSync(file, "utf8").trim()).toBe(`${hub.relayUrl}/cdp?token=${hub.token}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await hub.close();
    expect(existsSync(file)).toBe(false);
  });

  it("[REL-043] is left alone with writeCdpUrl: false", async () => {
    const hub = await testHub({ writeCdpUrl: false });
    expect(existsSync(join(hub.home, "cdp-url"))).toBe(false);
  });
});

describe("the log of the wire", () => {
  it("has every message as a JSON line, cut when long, without the token", async () => {
    const cdpLog = join(temporaryFolder(), "wire.jsonl");
    const { client, hub } = await connected([tab(1)], { cdpLog });
    await client.attachAll();
    await client.result(
      "Page.captureScreenshot",
      { note: `${hub.token}${"x".repeat(5_000)}` },
      client.session("T1"),
    );
    await hub.close();
    const text = readFileSync(cdpLog, "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { direction: string; text: string; cut?: boolean });
    expect(new Set(lines.map(({ direction }) => direction))).toEqual(
      new Set(["client>relay", "relay>client", "relay>extension", "extension>relay"]),
    );
    expect(text).not.toContain(hub.token);
    expect(lines.some(({ cut }) => cut)).toBe(true);
    expect(statSync(cdpLog).mode & 0o777).toBe(0o600);
  });
});
