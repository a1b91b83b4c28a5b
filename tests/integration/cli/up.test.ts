import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startUp, temporaryFolder } from "../../fixtures.js";
import { ConsoleClient } from "../../support/console/console-client.js";
import { WireClient } from "../../support/hub/wire-client.js";

const health = async (url: string): Promise<{ ok: boolean }> =>
  (await fetch(`${url.replace("ws:", "http:")}/healthz`)).json();

describe("debug-bridge up", () => {
  it("prints one ready line, and then every port answers [ARC-086…088, ARC-104]", async () => {
    const { ready, output } = await startUp();
    expect(Object.keys(ready)).toEqual(["event", "hub", "console", "relay", "tokenFile"]);
    expect(ready.event).toBe("ready");
    for (const url of [ready.hub, ready.console, ready.relay])
      expect(await health(url)).toMatchObject({ ok: true });
    expect(output.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(output.stderr).toBe("");
  });

  it("serves the SDK with a map that has DevTools ignore it, so that console calls show the app's own line", async () => {
    const { ready } = await startUp();
    const script = await (await fetch(`${ready.hub}/sdk.js`)).text();
    const [, map = ""] = /\n\/\/# sourceMappingURL=(\S+)\n$/.exec(script) ?? [];
    expect(map).toBe("sdk.js.map");
    const json = await (await fetch(`${ready.hub}/${map}`)).text();
    const { ignoreList, x_google_ignoreList, sources, mappings } = JSON.parse(json) as {
      [name in "ignoreList" | "x_google_ignoreList" | "sources"]: unknown[];
    } & { mappings: string };
    expect([ignoreList, x_google_ignoreList, sources.length]).toEqual([[0], [0], 1]);
    // Every line of the script leads to the source that is ignored.
    const lines = script.trimEnd().split("\n").length - 1;
    expect(mappings).toBe(`AAAA${";AACA".repeat(lines - 1)}`);
  });

  it("keeps its state in the home it is given: a private token of 32 bytes [ARC-078, ARC-085, ARC-089, REL-066, REL-067]", async () => {
    const home = join(temporaryFolder(), "deep", "home");
    const { ready } = await startUp(["--home", home]);
    expect(ready.tokenFile).toBe(join(home, "token"));
    expect(Buffer.from(readFileSync(ready.tokenFile, "utf8").trim(), "base64url")).toHaveLength(32);
    expect(statSync(ready.tokenFile).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(ready.tokenFile)).mode & 0o777).toBe(0o700);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends cleanly on %s: exit code 0, sockets closed",
    async (signal) => {
      const { ready, child, finished } = await startUp();
      const client = await WireClient.connect(ready.hub, { role: "app", sessionId: "s" });
      child.kill(signal);
      expect(await finished).toMatchObject({ code: 0, signal: null });
      expect((await client.closed).code).toBe(1001);
      await expect(fetch(`${ready.hub}/healthz`)).rejects.toThrow();
    },
  );

  it.each([
    ["--port", "the hub"],
    ["--console-port", "the console wire"],
    ["--relay-port", "the relay"],
  ])("explains what to do when the port of %s is in use, and frees the others", async (flag, what) => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as { port: number };
    const free = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const { code, stdout, stderr } = await runCli(["up", ...free, flag, String(port)], {
      DEBUG_BRIDGE_HOME: temporaryFolder(),
    });
    blocker.close();
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(`port ${port} for ${what} is in use`);
    expect(stderr).toContain(flag);
  });

  it("logs what is refused to the terminal only when it is verbose [CON-063]", async () => {
    const run = async (args: string[]): Promise<string> => {
      const { ready, output, child, finished } = await startUp(args);
      const client = await ConsoleClient.greeted(ready.console);
      client.socket.send("{ nonsense");
      await client.next("error");
      child.kill("SIGTERM");
      await finished;
      return output.stderr;
    };
    expect(await run([])).toBe("");
    expect(await run(["--verbose"])).toContain("refused console message: invalid_message");
  });

  it("listens on loopback only [ARC-061, CON-075, REL-063]", async () => {
    const { ready, child } = await startUp();
    const tables = ["tcp", "tcp6"]
      .map((name) => readFileSync(`/proc/${child.pid}/net/${name}`, "utf8"))
      .join("");
    for (const url of [ready.hub, ready.console, ready.relay]) {
      const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
      const addresses = [...tables.matchAll(new RegExp(`: ([0-9A-F]+):${port} [0-9A-F:]+ 0A`, "g"))].map(
        (match) => match[1],
      );
      expect(addresses).toEqual(["0100007F"]);
    }
  });
});
