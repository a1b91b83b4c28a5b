import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { CdpClient } from "./cdp-client.js";
import { connected } from "./connected.js";
import { tab } from "./fake-extension.js";

const infoOf = ({ params }: { params?: Record<string, unknown> }): Record<string, unknown> =>
  params?.targetInfo as Record<string, unknown>;

/** What the hub asked of the extension. The list of those that wait for a tab can arrive at any time. */
const methodsOf = ({ received }: { received: readonly { method?: string }[] }): (string | undefined)[] =>
  received.map(({ method }) => method).filter((method) => method !== "clientsWaiting");

describe("the connection to the extension", () => {
  it("[REL-028] gets a ping every 5 seconds", async () => {
    const { extension } = await connected();
    const times: number[] = [];
    extension.socket.on("message", (data) => {
      if (JSON.parse(String(data)).method === "ping") times.push(performance.now());
    });
    await until(() => times.length >= 3);
    const [first = 0, , third = 0] = times;
    // Two intervals. On a busy machine a ping comes late, but the timer does not drift by a whole interval.
    expect(third - first).toBeGreaterThan(9_000);
    expect(third - first).toBeLessThan(15_000);
    expect(extension.invalid).toEqual([]);
  });
});

describe("commands for the browser", () => {
  it("[REL-018] answers Browser.getVersion with what the extension reported", async () => {
    const { client } = await connected();
    expect(await client.result("Browser.getVersion")).toMatchObject({
      protocolVersion: "1.3",
      product: "Chrome/156.0.1.2",
      userAgent: "Test Chrome",
    });
  });

  it("[REL-019] answers Browser.setDownloadBehavior without changing the browser", async () => {
    const { client, extension } = await connected();
    const params = { behavior: "allowAndName", downloadPath: join(tmpdir(), "nowhere"), eventsEnabled: true };
    expect(await client.result("Browser.setDownloadBehavior", params)).toEqual({});
    expect(methodsOf(extension)).toEqual(["listTabs"]);
  });

  it("[REL-020, REL-022, REL-037, REL-038] lists all targets, each in the one browser context", async () => {
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
    const answer = await client.ask("Target.setAutoAttach", {
      ...{ autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
    });
    expect(client.events("Target.attachedToTarget")).toHaveLength(60);
    const last = client.messages.findLastIndex(({ method }) => method === "Target.attachedToTarget");
    expect(last).toBeLessThan(client.messages.indexOf(answer));
    const { sessionId } = await client.result("Target.attachToTarget", { targetId: "T7", flatten: true });
    expect(sessionId).toBe(client.session("T7"));
    expect(methodsOf(extension)).toEqual(["listTabs"]);
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

  it("[REL-070] leaves a closed tab out of every answer", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    await client.result("Target.setDiscoverTargets", { discover: true });
    extension.send({ method: "tabClosed", params: { tabId: 1 } });
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
  it("[REL-034, REL-035] answers commands that only prepare a page without attaching", async () => {
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
    expect(methodsOf(extension)).toEqual(["listTabs"]);
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

  it("[REL-033] attaches once when two clients need a tab at the same moment", async () => {
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

  it("sends the set-up, in order, before the first command that needs the page", async () => {
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

  it("reports why a tab cannot be attached, and tries again at the next command", async () => {
    const { client, extension } = await connected();
    extension.answers.attachTab = () => "not_supported: tab 1 is restricted";
    await client.attachAll();
    const refused = await client.ask("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(refused.error?.message).toContain("tab 1 is restricted");
    delete extension.answers.attachTab;
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
  });

  it("[REL-010] detaches from a tab when its last client leaves", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    await client.close();
    await until(() => extension.count("detachTab") === 1);
  });
});
