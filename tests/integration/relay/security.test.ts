import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { DEFAULT_PORTS } from "@debug-bridge/server";
import { describe, expect, it } from "vitest";
import { start, startUp, until } from "../../fixtures.js";
import { auditText } from "../../support/hub/audit.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";
import { CdpClient } from "./cdp-client.js";
import { FakeExtension, tab } from "./fake-extension.js";

const PATHS = ["/json/version", "/json/list", "/json", "/client-slot", "/healthz", "/", "/extension", "/cdp"];

/** One request with headers that `fetch` would not let through. */
function get(
  hub: TestHub,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { port } = new URL(hub.relayUrl);
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let body = "";
      response.on("data", (data) => {
        body += data;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
}

const refused = (hub: TestHub, code: string): Promise<unknown> => until(() => hub.audit().includes(code));

describe("CDP clients", () => {
  it("[REL-065] are refused without the token, and with a wrong one, with an audit record", async () => {
    const hub = await testHub();
    await expect(CdpClient.connect(`${hub.clientRelayUrl}/cdp`)).rejects.toThrow(
      /HTTP 401.*authentication required/,
    );
    const wrong = `${hub.clientRelayUrl}/cdp?token=${"x".repeat(43)}`;
    await expect(CdpClient.connect(wrong)).rejects.toThrow(/HTTP 401.*the token is wrong/);
    await refused(hub, "auth_required: the token is wrong");
  });

  it("can send the token as a header or a subprotocol too", async () => {
    const hub = await testHub();
    const headers = { authorization: `Bearer ${hub.token}` };
    const client = await CdpClient.connect(`${hub.clientRelayUrl}/cdp`, { headers });
    expect(await client.result("Target.getBrowserContexts")).toBeDefined();
  });

  it("need the token even with --auth none: this wire gives access to the person's logins", async () => {
    const hub = await testHub({ auth: "none" });
    await expect(CdpClient.connect(`${hub.clientRelayUrl}/cdp`)).rejects.toThrow(/HTTP 401/);
  });

  it("are refused when they come from a page, even with the right token", async () => {
    const hub = await testHub();
    const url = `${hub.clientRelayUrl}/cdp?token=${hub.token}`;
    for (const origin of [
      "https://evil.example",
      "http://localhost:3000",
      "null",
      "chrome-extension://other",
    ])
      await expect(CdpClient.connect(url, { origin })).rejects.toThrow(/HTTP 403/);
    await refused(hub, "forbidden_origin: pages of https://evil.example");
  });

  it("are refused under a name that was rebound to this machine", async () => {
    const hub = await testHub();
    const url = `${hub.clientRelayUrl}/cdp?token=${hub.token}`;
    await expect(CdpClient.connect(url, { headers: { host: "evil.example:19222" } })).rejects.toThrow(
      /HTTP 403/,
    );
    await refused(hub, "forbidden_host");
  });
});

describe("a hub with --read-only", () => {
  it("lets clients look, and refuses what acts, with an audit record", async () => {
    const hub = await testHub({ driveTabs: false, readOnly: true });
    const extension = await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    const client = await CdpClient.connect(`${hub.clientRelayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    for (const method of [
      "Target.createTarget",
      "Target.closeTarget",
      "Target.activateTarget",
      "Browser.resetPermissions",
      "Browser.grantPermissions",
      "Storage.clearCookies",
      "Storage.getCookies",
    ])
      expect((await client.ask(method, { targetId: "T1", url: "about:blank" })).error?.data).toBe(
        "read_only",
      );
    await refused(hub, '"what":"Storage.getCookies","target":"about:blank","outcome":"read_only"');
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    const sent = extension.received.find(({ params }) => params.method === "Runtime.evaluate");
    expect(sent?.params).toMatchObject({ readOnly: true, params: { throwOnSideEffect: true } });
  });

  it("sends nothing to a page that a client set up before it was attached", async () => {
    const hub = await testHub({ driveTabs: false, readOnly: true });
    const extension = await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    const client = await CdpClient.connect(`${hub.clientRelayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    const page = client.session("T1");
    const script = "Page.addScriptToEvaluateOnNewDocument";
    for (const [method, params] of [
      [script, { source: "//\rdocument.title='x'", runImmediately: true }],
      ["Network.setExtraHTTPHeaders", { headers: { a: "b" } }],
      ["Page.setBypassCSP", { enabled: true }],
      ["Emulation.setDeviceMetricsOverride", { width: 1, height: 1 }],
      ["Emulation.setEmulatedMedia", { media: "print" }],
      ["Fetch.enable", {}],
      ["WebAuthn.enable", {}],
      ["Page.bringToFront", {}],
      ["Page.setInterceptFileChooserDialog", { enabled: true }],
      ["Runtime.addBinding", { name: "leak" }],
    ] as const)
      expect((await client.ask(method, params, page)).error?.data).toBe("read_only");
    // What Playwright and Puppeteer set up in every page still works, in the form that changes nothing.
    await client.result(script, { source: "//# sourceURL=pptr", worldName: "u", runImmediately: true }, page);
    await client.result("Emulation.setFocusEmulationEnabled", { enabled: true }, page);
    const downloads = { behavior: "allowAndName", downloadPath: "/etc", eventsEnabled: true };
    await client.result("Browser.setDownloadBehavior", downloads);
    await client.result("Runtime.evaluate", { expression: "1" }, page);
    const sent = extension.received
      .filter(({ method }) => method === "cdpCommand")
      .map(({ params }) => String(params.method));
    expect(sent.filter((method) => /^(Emulation|Fetch|WebAuthn|Network)/.test(method))).toEqual([]);
    const scripts = extension.received.filter(({ params }) => params?.method === script);
    expect(scripts.map(({ params }) => (params.params as { source: string }).source)).toEqual([""]);
    expect(extension.received.some(({ method }) => method === "activateTab")).toBe(false);
  });
});

describe("a lease on a tab", () => {
  it("keeps CDP clients from acting, and each of their commands is once in timeline and audit log", async () => {
    const hub = await testHub();
    const extension = await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    const client = await CdpClient.connect(`${hub.clientRelayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    const page = client.session("T1");
    const holder = await hub.agent("tab-1");
    expect(await holder.command({ type: "acquire_lease", owner: "Ann" })).toMatchObject({ success: true });
    const refusal = (await client.ask("Page.navigate", { url: "https://a.test/" }, page)).error;
    expect(refusal).toMatchObject({ data: "lease_held", message: expect.stringContaining("Ann") });
    await client.result("Runtime.evaluate", { expression: "1" }, page);
    expect(
      extension.received.find(({ params }) => params?.method === "Runtime.evaluate")?.params,
    ).toMatchObject({ params: { throwOnSideEffect: true } });
    await holder.command({ type: "release_lease" });
    await client.result("Page.navigate", { url: "https://b.test/" }, page);
    const records = await hub.connectClient({ name: "reader" }).records("tab-1");
    const commands = records.filter(({ data }) => (data as { type?: string }).type === "Page.navigate");
    expect(commands.map(({ data }) => data)).toMatchObject([
      { url: "https://a.test/", client: "cdp:CDP client" },
      { url: "https://b.test/", client: "cdp:CDP client" },
    ]);
    const results = records.filter(
      ({ type, causedBy }) =>
        type === "command_result" && commands.some((each) => each.sequence === causedBy),
    );
    expect(results.map(({ data }) => data)).toMatchObject([
      { requestType: "Page.navigate", success: false, error: "lease_held" },
      { requestType: "Page.navigate", success: true },
    ]);
    const audited = await until(() => {
      const lines = hub
        .audit()
        .split("\n")
        .filter((line) => line.includes('"Page.navigate"'));
      return lines.length === 2 && lines.map((line) => JSON.parse(line) as object);
    });
    expect(audited).toMatchObject([
      { session: "tab-1", target: "https://b.test/", outcome: "done" },
      { session: "tab-1", target: "https://a.test/", outcome: "lease_held" },
    ]);
  });
});

describe("the connection of the extension", () => {
  it("[REL-064] [ARC-065] is refused to every origin but that of our extension", async () => {
    const hub = await testHub();
    for (const origin of [
      "https://evil.example",
      "http://127.0.0.1",
      "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb.evil.example",
    ])
      await expect(FakeExtension.connect(hub.relayUrl, [], { origin })).rejects.toThrow("HTTP 403");
    await refused(hub, "only the Debug Bridge extension may connect");
  });

  it("[REL-068] is for one at a time: a second one gets 409, and the first keeps working", async () => {
    const hub = await testHub({ driveTabs: false });
    const first = await FakeExtension.connect(hub.relayUrl, [tab(1)], { instance: "one" });
    await expect(FakeExtension.connect(hub.relayUrl, [], { instance: "two" })).rejects.toThrow("HTTP 409");
    await expect(FakeExtension.connect(hub.relayUrl, [])).rejects.toThrow("HTTP 409");
    const client = await CdpClient.connect(`${hub.clientRelayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(first.cdp(1)).toContain("Runtime.evaluate");
  });

  it("passes to the next worker of the same extension", async () => {
    const hub = await testHub({ driveTabs: false });
    await FakeExtension.connect(hub.relayUrl, [tab(1)], { instance: "same" });
    const next = await FakeExtension.connect(hub.relayUrl, [tab(1), tab(2)], { instance: "same" });
    expect(next.count("listTabs")).toBe(1);
  });

  it("is refused under a name that was rebound to this machine", async () => {
    const hub = await testHub();
    await expect(FakeExtension.connect(hub.relayUrl, [], { host: "evil.example" })).rejects.toThrow(
      "HTTP 403",
    );
  });
});

describe("HTTP", () => {
  it("reveals nothing to pages, whatever they try", async () => {
    const hub = await testHub();
    for (const path of PATHS) {
      const { status, body } = await get(hub, path, { origin: "https://evil.example" });
      if (path !== "/healthz") expect([path, status]).toEqual([path, path === "/client-slot" ? 403 : status]);
      if (status === 200) expect(path).toBe("/healthz");
      expect(body).not.toContain(hub.first.token);
      expect((await get(hub, path, { host: "evil.example" })).status).toBe(403);
    }
    expect((await get(hub, "/client-slot", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it("gives no version of a browser that never connected", async () => {
    const hub = await testHub({ driveTabs: false });
    const version = await get(hub, "/json/version", { authorization: `Bearer ${hub.first.token}` });
    expect(JSON.parse(version.body)).toMatchObject({ Browser: "Chrome/0.0.0.0" });
  });

  it("lists the browser and its tabs for clients with the token, without the token in the answer", async () => {
    const hub = await testHub({ driveTabs: false });
    await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    expect((await get(hub, "/json/version")).status).toBe(401);
    expect((await get(hub, "/json/list")).status).toBe(401);
    const headers = { authorization: `Bearer ${hub.first.token}` };
    const version = await get(hub, "/json/version", headers);
    expect(JSON.parse(version.body)).toMatchObject({
      Browser: "Chrome/156.0.1.2",
      webSocketDebuggerUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/cdp$/),
    });
    const list = await until(async () => {
      const { body } = await get(hub, "/json/list", headers);
      return body.includes("T1") && body;
    });
    expect(version.body + list).not.toContain(hub.first.token);
  });
});

describe("the relay's module", () => {
  it("[REL-001, REL-063] listens on 127.0.0.1:19222, and on no other address", async () => {
    expect(DEFAULT_PORTS.relay).toBe(19_222);
    const hub = await testHub({ host: "0.0.0.0" });
    expect(new URL(hub.relayUrl).hostname).toBe("127.0.0.1");
    const other = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === "IPv4" && !each.internal);
    if (other)
      await expect(fetch(`http://${other.address}:${new URL(hub.relayUrl).port}/healthz`)).rejects.toThrow();
  });

  it("[REL-075] starts nothing when it is imported", async () => {
    const { finished } = start(process.execPath, [
      "--input-type=module",
      "-e",
      'await import("@debug-bridge/server"); console.log(process.getActiveResourcesInfo().filter((name) => /TCP/.test(name)).length)',
    ]);
    const { code, stdout } = await finished;
    expect([code, stdout.trim()]).toEqual([0, "0"]);
  });
});

describe("a second relay", () => {
  it("on the same port fails with advice", async () => {
    const hub = await testHub();
    const port = Number(new URL(hub.relayUrl).port);
    await expect(testHub({ relayPort: port })).rejects.toThrow(
      /port \d+ for the relay is in use.*--relay-port/,
    );
  });
});

describe("the token", () => {
  it("[REL-066] is in no output, no log and no list of processes", async () => {
    const home = process.env.TMPDIR ?? "/tmp";
    const cdpLog = join(home, `wire-${process.pid}.jsonl`);
    const { ready, output, child } = await startUp(["--cdp-log", cdpLog]);
    const folder = join(ready.tokenFile, "..");
    const token = readFileSync(ready.tokenFile, "utf8").trim();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const client = await CdpClient.connect(`${ready.relay}/cdp?token=${token}`);
    await client.result("Target.getBrowserContexts");
    await client.ask("Browser.close");
    await until(() => auditText(folder).includes("Browser.close"));
    expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).not.toContain(token);
    expect(output.stdout + output.stderr).not.toContain(token);
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (!statSync(file).isFile() || name === "token" || name === "cdp-url") continue;
      expect(readFileSync(file, "utf8"), name).not.toContain(token);
    }
    await until(() => readFileSync(cdpLog, "utf8").includes("Browser.close"));
    expect(readFileSync(cdpLog, "utf8")).not.toContain(token);
  });
});
