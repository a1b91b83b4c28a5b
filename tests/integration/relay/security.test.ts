import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { DEFAULT_PORTS } from "@debug-bridge/server";
import { describe, expect, it } from "vitest";
import { start, startUp, until } from "../../fixtures.js";
import { type TestHub, testHub } from "../../support/hub.js";
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
    await expect(CdpClient.connect(`${hub.relayUrl}/cdp`)).rejects.toThrow(/HTTP 401.*a token is needed/);
    const wrong = `${hub.relayUrl}/cdp?token=${"x".repeat(43)}`;
    await expect(CdpClient.connect(wrong)).rejects.toThrow(/HTTP 401.*the token is wrong/);
    await refused(hub, "auth_required: the token is wrong");
  });

  it("may bring the token as a header or a subprotocol too", async () => {
    const hub = await testHub();
    const headers = { authorization: `Bearer ${hub.token}` };
    const client = await CdpClient.connect(`${hub.relayUrl}/cdp`, { headers });
    expect(await client.result("Target.getBrowserContexts")).toBeDefined();
  });

  it("need the token also with --auth none: this wire holds the person's logins", async () => {
    const hub = await testHub({ auth: "none" });
    await expect(CdpClient.connect(`${hub.relayUrl}/cdp`)).rejects.toThrow(/HTTP 401/);
  });

  it("are refused when they come from a page, with the right token too", async () => {
    const hub = await testHub();
    const url = `${hub.relayUrl}/cdp?token=${hub.token}`;
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
    const url = `${hub.relayUrl}/cdp?token=${hub.token}`;
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
    const client = await CdpClient.connect(`${hub.relayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    for (const method of ["Target.createTarget", "Target.closeTarget", "Storage.clearCookies"])
      expect((await client.ask(method, { targetId: "T1", url: "about:blank" })).error?.data).toBe(
        "read_only",
      );
    await refused(hub, "read_only: the hub was started with --read-only");
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    const sent = extension.received.find(({ params }) => params.method === "Runtime.evaluate");
    expect(sent?.params.readOnly).toBe(true);
  });
});

describe("the place of the extension", () => {
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

  it("[REL-068] is taken once: a second one gets 409, and the first keeps working", async () => {
    const hub = await testHub({ driveTabs: false });
    const first = await FakeExtension.connect(hub.relayUrl, [tab(1)], { instance: "one" });
    await expect(FakeExtension.connect(hub.relayUrl, [], { instance: "two" })).rejects.toThrow("HTTP 409");
    await expect(FakeExtension.connect(hub.relayUrl, [])).rejects.toThrow("HTTP 409");
    const client = await CdpClient.connect(`${hub.relayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(first.cdp(1)).toContain("Runtime.evaluate");
  });

  it("is given to the next life of the very same extension", async () => {
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
  it("tells no page anything, whatever it tries", async () => {
    const hub = await testHub();
    for (const path of PATHS) {
      const { status, body } = await get(hub, path, { origin: "https://evil.example" });
      if (path !== "/healthz") expect([path, status]).toEqual([path, path === "/client-slot" ? 403 : status]);
      if (status === 200) expect(path).toBe("/healthz");
      expect(body).not.toContain(hub.token);
      expect((await get(hub, path, { host: "evil.example" })).status).toBe(403);
    }
    expect((await get(hub, "/client-slot", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it("lists the browser and its tabs for those who have the token, without saying the token", async () => {
    const hub = await testHub({ driveTabs: false });
    await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    expect((await get(hub, "/json/version")).status).toBe(401);
    expect((await get(hub, "/json/list")).status).toBe(401);
    const headers = { authorization: `Bearer ${hub.token}` };
    const version = await get(hub, "/json/version", headers);
    expect(JSON.parse(version.body)).toMatchObject({
      Browser: "Chrome/156.0.1.2",
      webSocketDebuggerUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/cdp$/),
    });
    const list = await until(async () => {
      const { body } = await get(hub, "/json/list", headers);
      return body.includes("T1") && body;
    });
    expect(version.body + list).not.toContain(hub.token);
  });
});

describe("the relay's module", () => {
  it("[REL-001, REL-063] has 127.0.0.1:19222 as its place, and no other address", async () => {
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
  it("on the same port is told what to do", async () => {
    const hub = await testHub();
    const port = Number(new URL(hub.relayUrl).port);
    await expect(testHub({ relayPort: port })).rejects.toThrow(
      /port \d+ for the relay is taken.*--relay-port/,
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
    await until(() => readFileSync(join(folder, "audit.jsonl"), "utf8").includes("Browser.close"));
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
