import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, start, until } from "../../fixtures.js";
import { hubSetting } from "../extension/extension-folder.js";
import { Stage } from "../relay/stage.js";

const CLI = join(ROOT, "packages/cli/dist/main.js");
const home = mkdtempSync(join(tmpdir(), "debug-bridge-log-"));
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ home });
  await stage.person.inWorker(`chrome.storage.local.set({ hub: ${JSON.stringify(hubSetting(stage.hub))} })`);
});
afterAll(async () => {
  await stage?.close();
  rmSync(home, { recursive: true, force: true });
});

it("where the debugger is attached, what the browser itself logs is shown, and each line of the page once", async () => {
  const { output } = start(process.execPath, [CLI, "console", "--hub", stage.hub.url, "--home", home]);
  const browser = await stage.playwright();
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("no page");
  // Until both ways of hearing the page are there.
  await page.reload();
  await until(async () => {
    await page.evaluate(() => console.log("warming up"));
    return output.stdout.includes("warming up");
  });
  await page.evaluate(() => {
    document.head.insertAdjacentHTML(
      "beforeend",
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`,
    );
    new Image().src = "/never.png";
    console.log("printed by the page");
    return fetch("/missing-thing");
  });
  await until(() => /Content Security Policy/.test(output.stdout));
  await until(() => /Failed to load resource.*404/.test(output.stdout));
  await page.evaluate(() => console.log("the last line"));
  await until(() => output.stdout.includes("the last line"));
  expect(output.stdout.split("printed by the page").length - 1).toBe(1);
  expect(output.stdout.split("the last line").length - 1).toBe(1);
});
