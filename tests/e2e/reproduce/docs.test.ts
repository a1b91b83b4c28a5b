import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CLI, type Finished, ROOT, start, temporaryFolder, until } from "../../fixtures.js";
import { CHROMIUM, closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { stage } from "../hub/stage.js";

const DOCS = readFileSync(join(ROOT, "docs/recording.md"), "utf8");

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** The app of the example: after signing out, the profile fails. */
const APP = (isFixed: boolean): string => `let user = { name: "Ada" };
const on = (id, run) => document.getElementById(id).addEventListener("click", run);
on("theme", () => document.body.classList.toggle("dark"));
on("out", () => { user = null; });
on("profile", (event) => { event.preventDefault(); document.title = ${isFixed ? "user?.name ?? 'nobody'" : "user.name"}; });
`;
const PAGE = (hub: string): string => `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<script src="${hub}/sdk.js" data-session="shop"></script>
<button id="theme">Theme</button> <button id="out">Sign out</button> <a id="profile" href="/profile">Profile</a>
<script src="/app.js"></script>`;

/** Numbers, addresses and ids are others each time. */
const plain = (text: string): string =>
  text
    .replace(/http:\S+:\d+(?=:)/g, "PLACE")
    .replace(/debug_\w+/g, "ID")
    .replace(/actions of \d+/, "actions of N")
    .trim();

it("every command of the page about recording works in its order, and prints what the page says", async () => {
  const { ready, home, open } = await stage(browser);
  const app = { isFixed: false };
  const url = await serve(ready.hub, app);
  const { page } = await open(url);
  const folder = projectWithPlaywright();
  const env = { DEBUG_BRIDGE_HOME: home, CHROME_PATH: CHROMIUM.executablePath };
  const run = (words: string): Promise<Finished> =>
    start("sh", ["-c", words.replace(/^debug-bridge/, `'${process.execPath}' '${CLI}'`)], env, folder)
      .finished;
  await until(async () => (await run("debug-bridge sessions")).stdout.includes("shop"));

  const [first = "", printed = "", later = ""] = blocks();
  const [begin = "", use = "", stop = "", reproduce = ""] = lines(first);
  expect((await run(begin)).code).toBe(0);
  expect(use).toMatch(/^# use the app/);
  await useUntilItFails(page);
  expect((await run(stop)).code).toBe(0);
  const { stdout, stderr } = await run(reproduce);
  expect(plain(stdout), stderr).toBe(plain(printed));

  const [test = "", verify = ""] = lines(later);
  const id = /debug_\w+/.exec(stdout)?.[0] ?? "";
  const verifying = verify.replace(/debug_\w+/, id);
  expect((await run(test)).code).toBe(1);
  expect((await run(verifying)).stdout).toMatch(/^not fixed/);
  app.isFixed = true;
  expect((await run(test)).code).toBe(0);
  expect((await run(verifying)).stdout).toMatch(/^fixed/);
});

const blocks = (): string[] => [...DOCS.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const lines = (text: string): string[] => text.trim().split("\n");

async function useUntilItFails(page: Page): Promise<void> {
  for (const id of ["profile", "theme", "theme", "out", "theme", "profile"]) await page.click(`#${id}`);
}

async function serve(hub: string, app: { readonly isFixed: boolean }): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? APP(app.isFixed) : PAGE(hub));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A project that has Playwright Test, with the Chromium of this machine. */
function projectWithPlaywright(): string {
  const folder = join(temporaryFolder(), "project");
  mkdirSync(folder);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { executablePath } = CHROMIUM;
  const launchOptions = { executablePath, args: ["--no-sandbox"] };
  writeFileSync(
    join(folder, "playwright.config.mjs"),
    `export default ${JSON.stringify({ reporter: "line", use: { launchOptions } })};`,
  );
  return folder;
}
