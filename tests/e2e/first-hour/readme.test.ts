import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, type Started, start, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { installPublished } from "../../support/docs/published.js";

/**
 * Follows the README from its installation to its end, as somebody with an empty folder would: each block in its order, on
 * packages that were installed from their tarballs.
 */
const [, followed = ""] = readFileSync(join(ROOT, "README.md"), "utf8").split("## Debug your own app");
const blocks = [
  ...followed.slice(0, followed.indexOf("## Architecture")).matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm),
].map(([, indent = "", language = "", body = ""]) => ({
  language,
  text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
}));

const APP = `<!doctype html><html><head><title>Notes</title></head><body><button>Save</button><p role="alert"></p>
<script type="module" src="/main.ts"></script></body></html>`;
const MAIN = `document.querySelector("button")!.onclick = async () => {
  const answer: Response = await fetch("/api/notes", { method: "POST" });
  document.querySelector("p")!.textContent = answer.ok ? "Saved" : "Could not save";
  const [note] = (answer.ok ? [{ id: 1 }] : []) as { id: number }[];
  console.log(note.id);
};`;
const SERVER = `import { createServer } from "vite";
const server = await createServer({ server: { host: "127.0.0.1", port: 0 } });
await server.listen();
console.log(server.resolvedUrls.local[0]);`;

let app: string;
let home: string;
let env: Record<string, string>;
let browser: Browser;
let page: Page;
let hub: string;
const running: Started[] = [];
let remove = async () => {};
beforeAll(async () => {
  const published = await installPublished();
  ({ app, remove } = published);
  home = join(app, "..", "home");
  mkdirSync(home);
  // The bundler is the app's own.
  symlinkSync(join(ROOT, "node_modules/vite"), join(app, "node_modules/vite"));
  const path = `${join(app, "node_modules/.bin")}${delimiter}${process.env.PATH}`;
  const none = { DEBUG_BRIDGE_HOME: "", DEBUG_BRIDGE_HUB: "", CODEX_HOME: "", CLAUDE_CONFIG_DIR: "" };
  env = { ...none, HOME: home, PATH: path };
  browser = await sharedChromium();
  page = await browser.newPage();
});
afterAll(async () => {
  // npx starts another process, which does not end with it. Until all have ended they write below the folder.
  for (const { child } of running) process.kill(-(child.pid as number), "SIGKILL");
  await Promise.all(running.map(({ finished }) => finished));
  await closePages();
  await remove();
});

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
const shell = (line: string) => start("sh", ["-c", `exec ${line}`], env, app);
/** A command that runs until it is stopped. */
function background(line: string): Started {
  const started = start("sh", ["-c", `exec ${line}`], env, app, true);
  running.push(started);
  return started;
}

/** What happens to each block. They are done in the order of the README. */
const steps: readonly (readonly [language: string, step: (text: string) => Promise<void>])[] = [
  ["sh", install],
  ["ts", usePlugin],
  ["html", useScriptTag],
  ["sh", addToAgents],
  ["ts", useClient],
  ["json", compareReceipt],
  ["sh", diagnose],
  ["sh", watchConsole],
  ["js", connectPlaywright],
  ["sh", debugAgents],
];
let receipt: Record<string, unknown>;

it("every block of the README works in its order, in an empty folder with only the packages installed", async () => {
  expect(blocks.map(({ language }) => language)).toEqual(steps.map(([language]) => language));
  for (const [index, [, step]] of steps.entries()) await step(blocks[index]?.text ?? "");
});

async function install(text: string): Promise<void> {
  const [installing = "", up = ""] = lines(text);
  for (const name of installing.split(" ").slice(3))
    expect(existsSync(join(app, "node_modules", name)), name).toBe(true);
  // The ports of this machine may be taken.
  const { output } = background(`${up} --json --port 0 --console-port 0 --relay-port 0`);
  await until(() => output.stdout.includes("\n"));
  ({ hub } = JSON.parse(output.stdout) as { hub: string });
}

async function usePlugin(text: string): Promise<void> {
  const url = `${hub.replace("http", "ws")}/debug`;
  writeFileSync(
    join(app, "vite.config.ts"),
    text.replace('sessionId: "my-app"', `sessionId: "my-app", url: "${url}"`),
  );
  writeFileSync(join(app, "index.html"), APP);
  writeFileSync(join(app, "main.ts"), MAIN);
  writeFileSync(join(app, "serve.mjs"), SERVER);
  const { output } = background("node serve.mjs");
  await until(() => output.stdout.includes("\n"));
  await page.goto(output.stdout.trim());
  await until(async () => (await shell("debug-bridge observe my-app").finished).stdout.includes("Save"));
}

async function useScriptTag(text: string): Promise<void> {
  const tag = text.replace("http://127.0.0.1:4000", hub).replace("my-app", "by-tag");
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html>${tag}<button>By tag</button>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const other = await browser.newPage();
  await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await until(async () => (await shell("debug-bridge observe by-tag").finished).stdout.includes("By tag"));
  await other.close();
  server.close();
}

async function addToAgents(text: string): Promise<void> {
  const [init = ""] = lines(text);
  mkdirSync(join(home, ".codex"));
  expect((await shell(init).finished).stdout).toContain("+ [mcp_servers.debug-bridge]");
  const { code, stdout } = await shell(`${init} --yes`).finished;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/it lists 1\d tools/)]);
  expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain(app);
}

async function useClient(text: string): Promise<void> {
  writeFileSync(
    join(app, "client.mjs"),
    `${text}\nconsole.log(JSON.stringify({ text, receipt }));\napp.close();`,
  );
  const { stdout, stderr } = await shell("node client.mjs").finished;
  expect(stderr).toBe("");
  const printed = JSON.parse(stdout) as { text: string; receipt: Record<string, unknown> };
  expect(printed.text).toMatch(/e\d+ button "Save"/);
  receipt = printed.receipt;
}

async function compareReceipt(text: string): Promise<void> {
  const { durationMs: _time, requests, errors, ...example } = JSON.parse(text);
  expect(receipt).toMatchObject(example);
  expect(receipt.errors).toEqual(errors.map((error: string) => expect.stringContaining(error)));
  expect(receipt.requests).toMatchObject([
    { method: requests[0].method, url: expect.stringMatching(/\/api\/notes$/), status: expect.any(Number) },
  ]);
}

async function diagnose(text: string): Promise<void> {
  const [command = ""] = lines(text);
  const { stdout } = await shell(command.replace("http://localhost:3000/", page.url())).finished;
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
}

async function watchConsole(text: string): Promise<void> {
  const [extension = "", watch = ""] = lines(text);
  expect(await shell(extension).finished).toMatchObject({ code: 0 });
  expect(existsSync(join(home, ".debug-bridge/extension/manifest.json"))).toBe(true);
  const { output } = background(watch);
  await until(async () => {
    await page.evaluate(() => console.warn("seen in the terminal"));
    return output.stdout.includes("seen in the terminal");
  });
}

async function connectPlaywright(text: string): Promise<void> {
  const [, path = ""] = /\$\{homedir\(\)\}\/(\S+)`/.exec(text) ?? [];
  // Without an extension there is nothing to connect to yet; the tests of the relay do that.
  expect(readFileSync(join(home, path), "utf8")).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/cdp\?token=/);
}

async function debugAgents(text: string): Promise<void> {
  const [hook = "", breakpoint = "", attach = ""] = lines(text);
  expect(await shell(hook).finished).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain(app);
  expect(await shell(breakpoint).finished).toMatchObject({ code: 0 });
  const { child, output } = background(attach);
  await until(() => `${output.stdout}${output.stderr}`.length > 0 || child.exitCode !== null);
  expect(child.exitCode).toBe(null);
}
