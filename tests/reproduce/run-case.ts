import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drivePage, fromPuppeteer } from "@debug-bridge/driver";
import { launch } from "puppeteer-core";
import { ROOT, runCli, start, temporaryFolder } from "../fixtures.js";
import { CHROMIUM } from "../support/chrome/chromium.js";
import { type TestHub, testHub } from "../support/hub/hub.js";
import { AppServer } from "./app-server.js";
import type { ReproduceCase } from "./case.js";
import { Person } from "./person.js";

export interface CaseResult {
  readonly name: string;
  /** Actions that the person took, and of these the fewest that fail. */
  readonly actions: number;
  readonly minimum: number;
  /** Steps in the recording, and after shrinking. */
  readonly recorded: number;
  readonly found: number;
  readonly rate: { readonly failed: number; readonly of: number };
  readonly trials: number;
  readonly timed: boolean;
  readonly seconds: number;
  /** Exit codes of Playwright Test and of `record verify`, before and after the fix. */
  readonly test: { readonly before: number | null; readonly after: number | null };
  readonly verify: { readonly before: number | null; readonly after: number | null };
  /** Requests that changed something on the server, or could have, while it was replayed. */
  readonly writes: readonly string[];
}

/** Records a person who runs into the bug, reproduces it, fixes it, and runs what was written. */
export async function runCase(about: ReproduceCase, noiseShare = 1): Promise<CaseResult> {
  const server = new AppServer(about);
  await server.start();
  try {
    const hub = await testHub();
    const person = await record(hub, server, about, noiseShare);
    const out = join(temporaryFolder(), "reproduction");
    server.calls.length = 0;
    const env = { CHROME_PATH: CHROMIUM.executablePath };
    const failure = about.shows === undefined ? [] : ["--shows", about.shows];
    const args = ["record", "reproduce", "shop", "--home", hub.home, "--out-dir", out, "--json", ...failure];
    const startedAt = performance.now();
    const { stdout, stderr } = await runCli(args, env);
    const seconds = (performance.now() - startedAt) / 1_000;
    const result = JSON.parse(stdout || "{}") as Record<string, never>;
    if (result.reproduced !== true) throw new Error(`${about.name} was not reproduced: ${stdout}${stderr}`);
    const both = async (run: () => Promise<number | null>) => {
      server.fixed = false;
      const before = await run();
      server.fixed = true;
      return { before, after: await run() };
    };
    const verifying = async (): Promise<number | null> => (await runCli(["record", "verify", out], env)).code;
    return {
      ...{ name: about.name, actions: person.actions, seconds },
      minimum: about.minimum === "known afterwards" ? person.minimum : about.minimum,
      ...(result as unknown as Pick<CaseResult, "recorded" | "rate" | "trials" | "timed">),
      found: (result as unknown as { steps: unknown[] }).steps.length,
      test: await both(() => playwrightTest(out)),
      verify: await both(verifying),
      writes: server.calls.filter((call) => !call.startsWith("GET ")),
    };
  } finally {
    await server.stop();
  }
}

async function record(
  hub: TestHub,
  server: AppServer,
  about: ReproduceCase,
  noiseShare: number,
): Promise<Person> {
  const { executablePath, args } = CHROMIUM;
  const browser = await launch({
    executablePath,
    args: [...args],
    defaultViewport: { width: 1000, height: 700 },
  });
  try {
    const [tab] = await browser.pages();
    if (!tab) throw new Error("no tab");
    const cdp = fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone));
    const driver = await drivePage(cdp, { seedRandom: true });
    driver.connect(hub.joinAsApp("shop", { kind: "browser" }), { sessionId: "shop", kind: "browser" });
    await tab.goto(server.url);
    const started = await runCli(["record", "start", "shop", "--reload", "--home", hub.home]);
    if (started.code !== 0) throw new Error(started.stderr);
    const person = new Person(tab, noiseShare);
    await about.play(person);
    await driver.recorded();
    const stopped = await runCli(["record", "stop", "shop", "--home", hub.home]);
    if (stopped.code !== 0) throw new Error(stopped.stderr);
    return person;
  } finally {
    await browser.close();
  }
}

/** Runs the written test with the real Playwright Test, as a project would. */
async function playwrightTest(out: string): Promise<number | null> {
  const config = join(out, "playwright.config.mjs");
  const { executablePath } = CHROMIUM;
  writeFileSync(
    config,
    `export default { timeout: 60_000, reporter: "line", use: { launchOptions: { executablePath: ${JSON.stringify(executablePath)}, args: ["--no-sandbox"] } } };`,
  );
  const modules = join(out, "node_modules");
  if (!existsSync(modules)) symlinkSync(join(ROOT, "node_modules"), modules);
  const { finished } = start(
    process.execPath,
    [join(ROOT, "node_modules/@playwright/test/cli.js"), "test", "--config", config],
    {},
    out,
  );
  const { code } = await finished;
  return code;
}
