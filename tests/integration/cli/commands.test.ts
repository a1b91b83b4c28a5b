import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli, startUp, temporaryFolder } from "../../fixtures.js";
import { WireClient } from "../../support/hub/wire-client.js";

describe("the command line", () => {
  it("prints its version and help with examples", async () => {
    expect(await runCli(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const help = await runCli(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const part of ["up", "sessions", "doctor", "Examples:"]) expect(help.stdout).toContain(part);
    expect((await runCli(["up", "--help"])).stdout).toContain("--allow-origin");
    expect((await runCli(["help", "agent", "pause"])).stdout).toContain("agent pause [SESSION]");
  });

  it.each([
    [["upp"]],
    [["up", "--prot", "1"]],
    [["up", "--port", "99999"]],
    [["up", "--auth", "maybe"]],
    [["up", "--allow-origin", "x"]],
    [["nonsense", "--help"]],
    [["help", "nonsense"]],
    [["agent"]],
    [["agent", "nonsense", "--help"]],
    [["agent", "breakpoint", "nonsense", "--help"]],
    [["hook", "install"]],
    [["completion", "tcsh"]],
    [["act", "shop", "type=fly"]],
    [["logs", "shop", "error=true"]],
    [["screenshot", "shop"]],
    [[]],
  ])("answers the invalid call %j with exit code 2 and advice on stderr [ARC-103]", async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).not.toBe("");
  });

  it("suggests the command that was meant", async () => {
    expect((await runCli(["upp"])).stderr).toContain("Did you mean up?");
  });

  it("explains how to start a hub when none is running [ARC-103]", async () => {
    const { code, stderr } = await runCli(["sessions", "--hub", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(stderr).toContain("debug-bridge up");
  });

  it("lists sessions, as JSON and for people", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    const empty = await runCli(["sessions", "--hub", ready.hub, "--home", home]);
    expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining("No session yet") });
    const app = await WireClient.connect(ready.hub, { role: "app", sessionId: "shop" });
    app.send({ type: "hello", url: "http://x/", userAgent: "u", appName: "Shop" });
    const listed = await runCli(["sessions", "--json", "--hub", ready.hub, "--home", home]);
    expect(JSON.parse(listed.stdout).sessions).toMatchObject([{ id: "shop", kind: "app", connected: true }]);
    const table = await runCli(["sessions", "--hub", ready.hub, "--home", home]);
    expect(table.stdout).toContain("Shop http://x/");
  });
});

describe("debug-bridge doctor", () => {
  it("reports what is installed as JSON [ARC-102]", async () => {
    const { stdout } = await runCli(["doctor", "--json", "--home", temporaryFolder()]);
    const { findings } = JSON.parse(stdout) as { findings: { what: string; state: string }[] };
    expect(findings.map(({ what }) => what)).toEqual([
      "node",
      "chrome",
      "sdk",
      "home",
      "token",
      "pairing key",
      "extension",
      "hub",
      "hub port",
      "console port",
      "relay port",
    ]);
    expect(findings[0]).toMatchObject({ state: "ok" });
  });

  it("says what keeps an app from the hub: no answer, another host, a Content-Security-Policy", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/strict") response.setHeader("content-security-policy", "default-src 'self'");
      response.end('<!doctype html><script src="http://127.0.0.1:4000/sdk.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const app = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const home = temporaryFolder();
    const doctor = async (url: string) => (await runCli(["doctor", url, "--home", home])).stdout;
    expect(await doctor(`${app}/`)).toMatch(/✓ app's CSP +has no/);
    const strict = await doctor(`${app}/strict`);
    expect(strict).toMatch(/✗ app's CSP/);
    expect(strict).toContain(
      "allow ws://127.0.0.1:4000 in connect-src and http://127.0.0.1:4000 in script-src (for the script tag)",
    );
    server.close();
    server.closeAllConnections();
    expect(await doctor(`${app}/`)).toMatch(/✗ app +.* does not answer \(ECONNREFUSED\)/);
    expect(await runCli(["doctor", "shop"])).toMatchObject({ code: 2 });
  });

  it("says that the home cannot be used", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { code, stdout } = await runCli(["doctor", "--home", join(file, "home")]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${file} is not a folder`)]);
  });

  it("fails with a fix when others can read the token or Chrome does not exist [ARC-102, ARC-103]", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    chmodSync(ready.tokenFile, 0o644);
    const { code, stdout } = await runCli(["doctor", "--home", home], { CHROME_PATH: "/nowhere/chrome" });
    expect(code).toBe(1);
    expect(stdout).toContain(`chmod 600 ${ready.tokenFile}`);
    expect(stdout).toContain("/nowhere/chrome");
  });
});
