import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { testHub } from "../../support/hub/hub.js";
import { CdpClient } from "./cdp-client.js";
import { connected } from "./connected.js";
import { FakeExtension, tab } from "./fake-extension.js";

describe("when things break", () => {
  it("[REL-069] answers pending commands with an unknown outcome when the extension disconnects", async () => {
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

  it("[REL-030] continues when the extension is back, with its tabs still attached", async () => {
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

  it("attaches again and repeats a command that was not run because the debugger had just left the tab", async () => {
    const { client, extension } = await connected([tab(1)]);
    await client.attachAll();
    const session = client.session("T1");
    await client.result("Page.captureScreenshot", {}, session);
    expect(extension.count("attachTab")).toBe(1);
    const refusal = "not_actionable: no debugger is attached to tab 1; send attachTab first";
    let refusals = 1;
    extension.answers["Page.navigate"] = () => {
      if (refusals-- <= 0) return { frameId: "T1" };
      extension.send({ method: "tabDetached", params: { tabId: 1, reason: "access_changed" } });
      return refusal;
    };
    const url = "http://shop.test/next";
    expect(await client.result("Page.navigate", { url }, session)).toEqual({ frameId: "T1" });
    expect(extension.count("attachTab")).toBe(2);
    expect(extension.cdp(1).filter((method) => method === "Page.navigate")).toHaveLength(2);

    refusals = 5;
    const { error } = await client.ask("Page.navigate", { url }, session);
    expect(error?.message).toContain("no debugger is attached to tab 1");
    expect(extension.cdp(1).filter((method) => method === "Page.navigate")).toHaveLength(4);
  });

  it("reports that no browser is connected", async () => {
    const { client, extension } = await connected([tab(1)]);
    await client.attachAll();
    extension.socket.terminate();
    await until(() => extension.socket.readyState === 3);
    const started = Date.now();
    const { error } = await client.ask("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(error?.message).toContain("no browser is connected");
    expect(Date.now() - started).toBeLessThan(quietTime(5_500));
  });

  it("[REL-015, REL-041, REL-042] detaches from all tabs when the person cancels, and attaches again at the next command", async () => {
    const { client, extension } = await connected();
    await client.attachAll();
    const sessions = [client.session("T1"), client.session("T2")];
    for (const session of sessions) {
      await client.result("Runtime.enable", {}, session);
      await client.result("Page.captureScreenshot", {}, session);
    }
    extension.send({ method: "tabDetached", params: { tabId: 1, reason: "canceled_by_user" } });
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

  it("a client that sends invalid messages gets errors, and others are not affected", async () => {
    const { client, url } = await connected();
    const other = await CdpClient.connect(url);
    for (const text of ["", "{", "null", "[]", '{"id":"x"}', '{"id":901}', '{"id":902,"method":"a b"}'])
      client.socket.send(text);
    await until(() => client.messages.filter(({ error }) => error !== undefined).length === 7);
    expect(client.messages.flatMap(({ id, error }) => (error && id ? [id] : []))).toEqual([901, 902]);
    expect(await other.result("Browser.getVersion")).toBeDefined();
    expect(await client.result("Browser.getVersion")).toBeDefined();
  });

  it("an extension that sends invalid messages does no harm", async () => {
    const { client, extension } = await connected();
    for (const text of ["", "{", '{"id":1}', '{"id":999,"result":{}}', '{"method":"cdpEvent","params":{}}'])
      extension.socket.send(text);
    expect(await client.result("Browser.getVersion")).toBeDefined();
  });
});

describe("cdp-url", () => {
  it("[REL-044, REL-067, ARC-070] holds the client's address, for its owner only, while the hub runs", async () => {
    const hub = await testHub({ home: join(temporaryFolder(), "home") });
    const file = join(hub.home, "cdp-url");
    expect(statSync(hub.home).mode & 0o777).toBe(0o700);
    expect(statSync(hub.tokenFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").trim()).toBe(`${hub.relayUrl}/cdp?token=${hub.first.token}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await hub.close();
    expect(existsSync(file)).toBe(false);
  });

  it("[REL-043] is not written with writeCdpUrl: false", async () => {
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
      { note: `${hub.first.token}${"x".repeat(5_000)}` },
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
    expect(text).not.toContain(hub.first.token);
    expect(lines.some(({ cut }) => cut)).toBe(true);
    expect(statSync(cdpLog).mode & 0o777).toBe(0o600);
  });

  it("ends when it cannot be written, and the hub goes on", async () => {
    const folder = temporaryFolder();
    const refused: string[] = [];
    const { client } = await connected([tab(1)], {
      cdpLog: join(folder, "wire.jsonl"),
      onRefused: (what, error) => refused.push(`${what}: ${error.message}`),
    });
    rmSync(folder, { recursive: true });
    await client.attachAll();
    await until(() => refused.some((each) => each.startsWith("the log of the wire: nothing more is logged")));
    expect(await client.result("Page.enable", {}, client.session("T1"))).toBeDefined();
  });
});
