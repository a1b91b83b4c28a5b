import { BridgeError } from "@debug-bridge/protocol";
import { describe, expect, test } from "vitest";
import type { CdpCommand } from "./clients/command-gate.js";
import { RelayCore } from "./relay-core.js";

type Message = {
  id: number;
  method: string;
  params: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
  sessionId?: string;
};

/** A relay with one tab and one client, all in memory. `refuse` decides on commands that act. */
function stage(refuse: (command: CdpCommand) => BridgeError | undefined = () => undefined) {
  const recorded: { command: CdpCommand; outcome: string }[] = [];
  let now = 0;
  const relay = new RelayCore({
    now: () => now,
    files: { problem: () => undefined, copy: async () => "" },
    onTab: () => {},
    commands: {
      readOnlyBy: () => undefined,
      decide: (command) => (command.kind === "look" ? undefined : refuse(command)),
      begin: (command) => {
        const entry = { command, outcome: "running" };
        recorded.push(entry);
        return (error) => {
          entry.outcome = error === undefined ? "done" : String(error.data ?? error.message);
        };
      },
      ask: () => {},
      auditRefusal: () => {},
    },
  });
  const toExtension: Message[] = [];
  const answer = (message: Message): void => {
    const { method, params } = message;
    const tree = { frameTree: { frame: { id: "T1", loaderId: "L", url: "http://a.test/" } } };
    const tabs = [{ tabId: 1, targetId: "T1", url: "http://a.test/", title: "A", attached: false }];
    const result = method === "listTabs" ? tabs : params.method === "Page.getFrameTree" ? tree : {};
    relay.extensionText(JSON.stringify({ id: message.id, result }));
  };
  const held: Message[] = [];
  let holds = false;
  relay.extensionConnected((text) => {
    const message = JSON.parse(text) as Message;
    toExtension.push(message);
    if (message.id === undefined) return;
    if (holds) held.push(message);
    else answer(message);
  });
  const toClient: Message[] = [];
  /** How the last recorded command stood when a reply was sent. */
  const outcomesAtReply = new Map<number, string | undefined>();
  const client = relay.connect("Test 1.0", (text, isReply) => {
    const message = JSON.parse(text) as Message;
    toClient.push(message);
    if (isReply) outcomesAtReply.set(message.id, recorded.at(-1)?.outcome);
  });
  const send = (id: number, method: string, params: object = {}, sessionId = ""): Message | undefined => {
    relay.clientText(client, JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return toClient.find((message) => message.id === id);
  };
  send(1, "Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: false });
  const page = String(toClient.find(({ method }) => method === "Target.attachedToTarget")?.params.sessionId);
  return {
    relay,
    client,
    page,
    send,
    toClient,
    outcomesAtReply,
    recorded,
    cdp: () => toExtension.filter(({ method }) => method === "cdpCommand").map(({ params }) => params.method),
    methods: () => toExtension.map(({ method }) => method),
    waiting: () =>
      toExtension.filter(({ method }) => method === "clientsWaiting").map(({ params }) => params.clients),
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const message of held.splice(0)) answer(message);
    },
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe("the relay without sockets", () => {
  test("answers what a client sets up without touching the page", () => {
    const { send, page, cdp, methods } = stage();
    for (const [id, method] of ["Page.enable", "Runtime.enable", "Network.enable"].entries())
      expect(send(10 + id, method, {}, page)?.result).toEqual({});
    expect(send(20, "Page.getFrameTree", {}, page)?.result).toMatchObject({
      frameTree: { frame: { id: "T1" } },
    });
    expect(cdp()).toEqual([]);
    expect(methods()).not.toContain("attachTab");
  });

  test("sends a reply before it records how the command ended", () => {
    const { send, page, recorded, outcomesAtReply } = stage();
    expect(send(10, "Runtime.evaluate", { expression: "1" }, page)?.result).toEqual({});
    expect(outcomesAtReply.get(10)).toBe("running");
    expect(recorded.map(({ outcome }) => outcome)).toEqual(["done"]);
  });

  test("attaches at the first command that needs the page, and sends the set-up before it", () => {
    const { send, page, cdp, methods } = stage();
    send(10, "Network.enable", {}, page);
    expect(send(11, "DOM.getDocument", {}, page)?.result).toEqual({});
    expect(methods()).toContain("attachTab");
    expect(cdp()).toEqual(["Page.getFrameTree", "Network.enable", "DOM.getDocument"]);
  });

  test("keeps commands while it attaches, and sends them in order", () => {
    const { send, page, cdp, hold, release } = stage();
    hold();
    expect(send(10, "DOM.getDocument", {}, page)).toBeUndefined();
    expect(send(11, "DOM.getBoxModel", {}, page)).toBeUndefined();
    release();
    expect(cdp()).toEqual(["Page.getFrameTree", "DOM.getDocument", "DOM.getBoxModel"]);
  });

  test("keeps a thousand commands while it attaches, and refuses more", () => {
    const { send, page, cdp, hold, release, toClient } = stage();
    hold();
    for (let id = 10; id < 1_110; id++) send(id, "DOM.getDocument", {}, page);
    expect(toClient.filter(({ error }) => error?.data === "rate_limit").map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, i) => 1_010 + i),
    );
    release();
    expect(cdp().filter((method) => method === "DOM.getDocument")).toHaveLength(1_000);
  });

  test("keeps the first commands of a client until there is an extension, up to a limit in bytes", () => {
    const { relay, wait } = stage();
    relay.extensionLost("gone");
    const answers: Message[] = [];
    const early = relay.connect("Early 1.0", (text) => void answers.push(JSON.parse(text)));
    const params = { text: "x".repeat(1_000_000) };
    for (let id = 1; id <= 10; id++)
      relay.clientText(early, JSON.stringify({ id, method: "Browser.getVersion", params }));
    expect(answers).toMatchObject([5, 6, 7, 8, 9, 10].map((id) => ({ id, error: { data: "rate_limit" } })));
    wait(4_000);
    relay.expire();
    expect(answers.slice(6).map(({ id, result }) => [id, result?.protocolVersion])).toEqual(
      [1, 2, 3, 4].map((id) => [id, "1.3"]),
    );
  });

  test("takes no more commands while those on their way to Chrome hold 64 MB", () => {
    const { relay, send, page, hold, release } = stage();
    send(10, "DOM.getDocument", {}, page);
    hold();
    const expression = "x".repeat(33_000_000);
    for (const id of [11, 12]) expect(send(id, "Runtime.evaluate", { expression }, page)).toBeUndefined();
    expect(send(13, "Runtime.evaluate", { expression: "1" }, page)?.error).toMatchObject({
      data: "rate_limit",
    });
    release();
    expect(send(14, "Runtime.evaluate", { expression: "1" }, page)?.result).toEqual({});
    hold();
    send(15, "Runtime.evaluate", { expression: expression + expression }, page);
    relay.extensionLost("gone");
    expect(send(16, "Runtime.evaluate", { expression }, page)?.error).not.toMatchObject({
      data: "rate_limit",
    });
  });

  test("answers commands that wait when the client's tab is closed", () => {
    const { relay, send, page, hold, toClient } = stage();
    hold();
    send(10, "DOM.getDocument", {}, page);
    relay.extensionText(JSON.stringify({ method: "tabClosed", params: { tabId: 1 } }));
    expect(toClient.find(({ id }) => id === 10)?.error?.message).toMatch(/Target closed/);
    expect(toClient.some(({ method }) => method === "Target.detachedFromTarget")).toBe(true);
    expect(send(11, "DOM.getDocument", {}, page)?.error?.message).toMatch(/not found/);
  });

  test("a page that loses its debugger gets synthetic replies again, and attaches at the next command", () => {
    const { relay, send, page, cdp } = stage();
    send(10, "DOM.getDocument", {}, page);
    relay.extensionText(
      JSON.stringify({ method: "tabDetached", params: { tabId: 1, reason: "target_closed" } }),
    );
    const before = cdp().length;
    expect(send(11, "Page.enable", {}, page)?.result).toEqual({});
    expect(cdp()).toHaveLength(before);
    expect(send(12, "DOM.getDocument", {}, page)?.result).toEqual({});
    expect(cdp().at(-1)).toBe("DOM.getDocument");
  });

  test("records commands that act with their outcome, and not those that look", () => {
    const { send, page, recorded } = stage();
    send(10, "DOM.getDocument", {}, page);
    send(11, "Page.navigate", { url: "http://b.test/" }, page);
    send(12, "Runtime.evaluate", { expression: "1" }, page);
    send(13, "Page.addScriptToEvaluateOnNewDocument", { source: "", worldName: "w" }, page);
    send(14, "Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" });
    expect(recorded.map(({ command, outcome }) => [command.method, command.tabId, outcome])).toEqual([
      ["Page.navigate", 1, "done"],
      ["Runtime.evaluate", 1, "done"],
      ["Browser.setDownloadBehavior", undefined, "done"],
    ]);
    expect(recorded[0]?.command).toMatchObject({ client: "cdp:Test 1.0", kind: "act" });
  });

  test("refuses what the policy refuses, including in set-up, and lets code run without side effects", () => {
    const { send, page, recorded, cdp } = stage(
      () => new BridgeError("lease_held", "Ann has the right to act"),
    );
    const script = { source: "window.x = 1" };
    for (const [id, [method, params]] of (
      [
        ["Page.addScriptToEvaluateOnNewDocument", script],
        ["Network.setExtraHTTPHeaders", { headers: {} }],
        ["Page.navigate", { url: "http://b.test/" }],
      ] as const
    ).entries())
      expect(send(10 + id, method, params, page)?.error).toMatchObject({ data: "lease_held" });
    expect(send(20, "Target.closeTarget", { targetId: "T1" })?.error?.message).toContain("Ann");
    expect(recorded.map(({ command, outcome }) => [command.method, command.tabId, outcome])).toEqual([
      ["Page.addScriptToEvaluateOnNewDocument", 1, "lease_held"],
      ["Network.setExtraHTTPHeaders", 1, "lease_held"],
      ["Page.navigate", 1, "lease_held"],
      ["Target.closeTarget", 1, "lease_held"],
    ]);
    send(21, "Runtime.evaluate", { expression: "1" }, page);
    // In a world that stands in for the page's own.
    expect(cdp()).toEqual(["Page.getFrameTree", "Page.createIsolatedWorld", "Runtime.evaluate"]);
  });

  test("removes tabs when the extension stays away, and reports unknown outcomes", () => {
    const { relay, send, page, hold, toClient, wait, recorded } = stage();
    send(10, "DOM.getDocument", {}, page);
    hold();
    send(11, "Page.reload", {}, page);
    relay.extensionLost("gone");
    expect(toClient.find(({ id }) => id === 11)?.error).toMatchObject({ data: "outcome_unknown" });
    expect(recorded).toMatchObject([{ command: { method: "Page.reload" }, outcome: "outcome_unknown" }]);
    wait(11_000);
    relay.expire();
    expect(relay.tabs.size).toBe(0);
  });
});

test("the extension is notified each time that a client begins to wait, however soon after the last", () => {
  const { relay, waiting } = stage();
  const send = (method: string, params: object): void =>
    relay.extensionText(JSON.stringify({ method, params }));
  const tab = { tabId: 1, targetId: "T1", url: "http://a.test/", title: "A", attached: false };
  send("tabClosed", { tabId: 1, reason: "stopped" });
  relay.expire();
  // The person shares it, which makes the extension forget who waits, and takes it back.
  send("tabOpened", { tab });
  send("tabClosed", { tabId: 1, reason: "stopped" });
  relay.expire();
  expect(waiting().slice(-3)).toEqual([["Test 1.0"], [], ["Test 1.0"]]);
});
