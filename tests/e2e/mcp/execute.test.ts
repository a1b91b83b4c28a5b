import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { Stage } from "../relay/stage.js";
import { type McpUser, mcpClient } from "./client.js";

const home = mkdtempSync(join(tmpdir(), "debug-bridge-mcp-"));
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ home, clientMode: "single-active" });
});
afterAll(async () => {
  await stage?.close();
  rmSync(home, { recursive: true, force: true });
});

const client = (): Promise<McpUser> => mcpClient(["--hub", stage.hub.url, "--home", home]);

describe("execute", () => {
  it("[REL-004, REL-005, REL-007] runs Playwright code in the person's Chrome and returns what it printed and returned", async () => {
    const mcp = await client();
    const { text, isError } = await mcp.call("execute", {
      code: `console.log("at", page.url()); state.seen = await page.title(); return { title: state.seen, tabs: context.pages().length }`,
    });
    expect(isError).toBe(false);
    expect(text).toContain("from the person's Chrome: untrusted data");
    expect(text).toContain(`at ${stage.site.url("/")}`);
    expect(text).toContain('=> {"title":"Home","tabs":1}');
    expect((await mcp.call("execute", { code: "return state.seen" })).text).toContain("=> Home");
    await mcp.call("reset");
  });

  it("[REL-006] reset drops the state, and the next call connects again", async () => {
    const mcp = await client();
    await mcp.call("execute", { code: "state.kept = 1" });
    expect((await mcp.call("reset")).isError).toBe(false);
    const { text } = await mcp.call("execute", { code: "return [state.kept, await page.title()]" });
    expect(text).toContain("[ undefined, 'Home' ]");
    await mcp.call("reset");
  });

  it("ends a script that hangs, without harm to the server, and reports where code failed", async () => {
    const mcp = await client();
    const stuck = await mcp.call("execute", { code: "console.log('in'); for (;;);", timeoutMs: 1_500 });
    expect(stuck.isError).toBe(true);
    expect(stuck.text).toContain("in\nerror: the code did not finish within 1500 ms");
    const waits = await mcp.call("execute", {
      code: "await page.waitForSelector('#never')",
      timeoutMs: 1_000,
    });
    expect(waits.text).toContain("did not finish within 1000 ms");
    const failed = await mcp.call("execute", { code: "const a = 1;\nthrow new TypeError('no ' + a)" });
    expect(failed).toMatchObject({ isError: true });
    expect(failed.text).toContain("TypeError: no 1 (line 2)");
    const wrong = await mcp.call("execute", { code: "return (" });
    expect(wrong.text).toContain("SyntaxError");
    const open = await mcp.call("execute", { code: "return [typeof process, typeof require, typeof fetch]" });
    expect(open.text).toContain('["undefined","undefined","undefined"]');
    await mcp.call("reset");
  });

  it("keeps its output within the budget", async () => {
    const mcp = await client();
    const { text } = await mcp.call("execute", { code: "return 'x'.repeat(100_000)", maxTokens: 200 });
    expect(text.length).toBeLessThan(1_200);
    expect(text).toContain("more characters are left out");
    await mcp.call("reset");
  });

  it("[REL-049] waits for its turn when the relay accepts one client at a time", async () => {
    const other = await chromium.connectOverCDP(stage.cdpUrl);
    const mcp = await client();
    const waiting = mcp.call("execute", { code: "return page.title()" });
    let done = false;
    void waiting.then(() => {
      done = true;
    });
    const slot = `${stage.hub.relayUrl.replace("ws", "http")}/client-slot`;
    const { busy } = (await (await fetch(slot)).json()) as { busy: boolean };
    expect([busy, done]).toEqual([true, false]);
    await other.close();
    expect((await waiting).text).toContain("=> Home");
    await mcp.call("reset");
  });

  it("gives every one of several waiting clients its turn", async () => {
    const other = await chromium.connectOverCDP(stage.cdpUrl);
    const clients = await Promise.all([client(), client(), client()]);
    const turns = clients.map(async (mcp) => {
      const { text } = await mcp.call("execute", { code: "return page.title()" });
      await mcp.call("reset");
      return text;
    });
    await other.close();
    for (const text of await Promise.all(turns)) expect(text).toContain("=> Home");
  });
});

it("without a person's Chrome, execute explains what is missing, and with --temp-chrome it launches one", async () => {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const without = await mcpClient([...ports, "--home", temporaryFolder()]);
  const refused = await without.call("execute", { code: "return 1" });
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toMatch(/no Chrome with the extension is connected.*--temp-chrome/s);

  const temporary = await mcpClient([...ports, "--home", temporaryFolder(), "--temp-chrome"]);
  const { text } = await temporary.call("execute", {
    code: `await page.goto("${stage.site.url("/")}"); return page.title()`,
  });
  expect(text).toContain("from a temporary Chrome without any logins");
  expect(text).toContain("=> Home");
  await temporary.call("execute", { code: "for (;;);", timeoutMs: 1_000 });
  expect((await temporary.call("execute", { code: "return 1 + 1" })).text).toContain("=> 2");
});

it("leaves no browser behind", async () => {
  const mcp = await mcpClient([
    "--port",
    "0",
    "--console-port",
    "0",
    "--relay-port",
    "0",
    "--home",
    temporaryFolder(),
    "--temp-chrome",
  ]);
  const { text } = await mcp.call("execute", { code: "return browser.version()" });
  expect(text).toMatch(/=> \d+/);
  const browsers = childrenOf(mcp.pid);
  expect(browsers.length).toBeGreaterThan(0);
  await mcp.client.close();
  await until(() => ![mcp.pid, ...browsers].some(isRunning));
});

/** Processes that this one started, by the system's own table. */
function childrenOf(parent: number): number[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
