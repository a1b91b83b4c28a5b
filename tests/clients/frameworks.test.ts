import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateTokens } from "@debug-bridge/protocol";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { packAll } from "../../scripts/lib/pack.mjs";
import { runCli, startUp, temporaryFolder, until } from "../fixtures.js";
import { closePages, sharedChromium } from "../support/chrome/chromium.js";
import { APPS, type FrameworkApp } from "./apps.js";
import { change, createApp, serve, wire } from "./stage.js";

let browser: Browser;
let folder: string;
let tarballs: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-frameworks-"));
  tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
  browser = await sharedChromium();
});
afterAll(async () => {
  await closePages();
  rmSync(folder, { recursive: true, force: true });
});

it.each(Object.entries(APPS))(
  "an app of %s is observed, used, and shows where its code throws",
  async (name, framework) => {
    const app = await createApp(framework, join(folder, name.replace(/\W/g, "-")), tarballs);
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    await wire(framework, app, ready.hub);
    for (const edit of framework.edits) change(app, edit);

    const url = await serve(framework, app, home);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const cli = async (...args: string[]) => (await runCli([...args, "--home", home])).stdout;
    await page.goto(url);
    await until(async () => /button "Count is 0"/.test(await cli("observe", "app")));
    expect(await cli("act", "app", "click", "Count is 0")).toMatch(/Count is 1/);
    await cli("act", "app", "click", "Count is 1");
    const line = lineOf(readFileSync(join(app, framework.source), "utf8"), "throw new Error");
    const place = `${framework.source}:${line}:`;
    const logs = await until(async () => {
      const text = await cli("logs", "app", "errors=true");
      return text.includes("counted too far") && text;
    });
    expect(logs.split("\n").find((each) => each.includes("counted too far"))).toContain(place);
    // Nothing of the bundler's hot reload.
    expect(await cli("logs", "app")).not.toMatch(/webpack-hmr|\?token=|hot-update/);
    if (framework.hasPlugin) await checkLoop(framework, app, cli);
  },
  600_000,
);

/** Edits a text, breaks the file and mends it; each save has its receipt in one call. */
async function checkLoop(
  { source, reloads = false }: FrameworkApp,
  app: string,
  cli: (...args: string[]) => Promise<string>,
): Promise<void> {
  const save = async (before: string, after: string): Promise<string> => {
    change(app, [source, before, after]);
    const receipt = await cli("act", "app", "wait_for", "edit=true", "maxMs=30000");
    expect(receipt).toContain(`edit ${source}: `);
    expect(estimateTokens(receipt)).toBeLessThanOrEqual(300);
    return receipt;
  };
  const text = await save("Count is", "Total is");
  expect(text).toMatch(reloads ? /full reload[\s\S]*Count is 0/ : /hot update[\s\S]*Total is \d/);
  const broken = readFileSync(join(app, source), "utf8");
  expect(await save("throw new Error", "throw new new Error(((")).toContain("build error");
  writeFileSync(join(app, source), broken);
  const mended = await cli("act", "app", "wait_for", "edit=true", "maxMs=30000");
  expect(mended).toContain("error gone");
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split("\n").length;
}
