import { dirname } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { CHROMIUM, closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { blocksOf } from "../../support/docs/doc-blocks.js";
import { projectFolder } from "../../support/hub/project.js";
import { servePage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const programs = (name: string): string[] =>
  blocksOf(`packages/${name}/README.md`).flatMap(({ language, text }) => (language === "js" ? [text] : []));

test("the programs in the README of the client look at a session, act in it and read what happened", async () => {
  const { ready } = await startUp(["--demo"]);
  const page = await browser.newPage();
  await page.goto(ready.demo as string);
  const [program = "", part = ""] = programs("client");
  // The second one shows the other way to name hubs.
  const folder = projectFolder({
    "example.mjs": `${program}\n{${part}\nhub.close();\n}\nhub.close();\nprocess.exit();`,
  });
  const env = { DEBUG_BRIDGE_HOME: dirname(ready.tokenFile) };
  const { code, stdout, stderr } = await start(process.execPath, ["example.mjs"], env, folder).finished;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^demo app http:/m);
  expect(stdout).toContain('button "Apply"');
  expect(stdout).toMatch(/settled: (true|false)/);
});

test("the program in the README of the driver clicks in a page", async () => {
  const url = await servePage(
    "<!doctype html><button onclick=\"this.textContent = 'Saved'\">Save</button>",
    "",
  );
  const [program = ""] = programs("driver");
  const launch = JSON.stringify({ executablePath: CHROMIUM.executablePath, args: CHROMIUM.args });
  const code = program.replace('{ channel: "chrome" }', launch).replace("http://localhost:3000/", url);
  expect(code).toContain(launch);
  const folder = projectFolder({ "example.mjs": `${code}\nawait browser.close();` });
  const ended = await start(process.execPath, ["example.mjs"], {}, folder).finished;
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("Saved");
});

test("the program in the README of the dashboard serves it", async () => {
  const [program = ""] = programs("dashboard");
  const folder = projectFolder({ "example.mjs": program });
  const env = { DEBUG_BRIDGE_HOME: temporaryFolder() };
  const { output } = start(process.execPath, ["example.mjs"], env, folder);
  const url = await until(() => /^http:\S+$/m.exec(output.stdout)?.[0]);
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByText("Nothing is connected yet").waitFor();
});
