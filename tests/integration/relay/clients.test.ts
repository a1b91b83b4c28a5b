import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { CdpClient } from "./cdp-client.js";
import { connected } from "./connected.js";
import { tab } from "./fake-extension.js";

const infoOf = ({ params }: { params?: Record<string, unknown> }): Record<string, unknown> =>
  params?.targetInfo as Record<string, unknown>;

describe("several clients", () => {
  it("[REL-014, REL-016, REL-045] each get their own answers, and the events of their pages", async () => {
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

  it("[REL-027] sends a second one the existing contexts without requesting them from Chrome again", async () => {
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

  it("keep what the other needs: a domain is disabled when no client uses it, scripts are removed with their client", async () => {
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

  it("release a shared object when the last of them releases it, or leaves", async () => {
    const { client, extension, url } = await connected();
    const other = await CdpClient.connect(url);
    await Promise.all([client.attachAll(), other.attachAll()]);
    for (const each of [client, other]) {
      await each.result("Runtime.enable", {}, each.session("T1"));
      await each.result("Runtime.evaluate", { expression: "1" }, each.session("T1"));
    }
    const released = (): unknown[] =>
      extension.received
        .filter(({ params }) => params.method === "Runtime.releaseObject")
        .map(({ params }) => (params.params as { objectId: string }).objectId);
    const log = (timestamp: number, ...ids: string[]): void =>
      extension.event(1, "Runtime.consoleAPICalled", {
        type: "log",
        args: ids.map((objectId) => ({ type: "object", objectId })),
        executionContextId: 3,
        timestamp,
      });
    log(1, "first", "second");
    log(2, "third");
    await until(() => other.events("Runtime.consoleAPICalled").length === 2);
    await client.result("Runtime.releaseObject", { objectId: "first" }, client.session("T1"));
    await client.result("Runtime.releaseObject", { objectId: "second" }, client.session("T1"));
    expect(released()).toEqual([]);
    await other.result("Runtime.releaseObject", { objectId: "first" }, other.session("T1"));
    expect(released()).toEqual(["first"]);
    await other.close();
    await until(() => released().length === 2);
    await client.result("Runtime.releaseObject", { objectId: "third" }, client.session("T1"));
    expect(released()).toEqual(["first", "second", "third"]);
  });

  it("pass dialogs to the one that was active last", async () => {
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

  it("[REL-046, REL-047, REL-048] are refused while one is active, when only one is allowed", async () => {
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
  it("have their own sessions, at any depth, that end with them", async () => {
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
