import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { ROOT, start } from "../../fixtures.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterAll(() => stage?.close());

const page = readFileSync(join(ROOT, "docs/relay.md"), "utf8");
const examples = [...page.matchAll(/^```js (\w+)\n(.*?)^```$/gms)].map(({ 1: name, 2: code }) => ({
  name,
  code,
}));

/** Files of the page, by name. */
const files = [...page.matchAll(/^```ts ([\w.-]+)\n(.*?)^```$/gms)];

it("has an example for each client", () => {
  expect(examples.map(({ name }) => name)).toEqual(["playwright", "puppeteer"]);
});

it.each(examples)("the example for $name runs unchanged", async ({ name, code = "" }) => {
  // Beside the packages that it imports; only the page it opens is one of ours.
  const file = join(ROOT, "tests", `example-${name}-${process.pid}.mjs`);
  onTestFinished(() => rmSync(file, { force: true }));
  writeFileSync(file, code.replaceAll("https://example.com/", stage.site.url("/second")));
  const { finished } = start(process.execPath, [file], { DEBUG_BRIDGE_HOME: dirname(stage.hub.tokenFile) });
  const { code: exit, stdout, stderr } = await finished;
  expect(stderr).toBe("");
  expect(exit).toBe(0);
  expect(stdout).toContain("Second");
});

it("the fixture for Playwright Test runs unchanged, and leaves a trace and the logins", async () => {
  const folder = mkdtempSync(join(ROOT, "tests", "example-playwright-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [, name = "", code = ""] of files)
    writeFileSync(join(folder, name), code.replaceAll("https://example.com/", stage.site.url("/second")));
  writeFileSync(
    join(folder, "playwright.config.mjs"),
    "export default { reporter: 'line', outputDir: './out' };",
  );
  const runner = join(ROOT, "node_modules", "@playwright", "test", "cli.js");
  const env = { DEBUG_BRIDGE_HOME: dirname(stage.hub.tokenFile) };
  const { finished } = start(process.execPath, [runner, "test"], env, folder);
  const { code: exit, stdout } = await finished;
  expect(stdout).toContain("1 passed");
  expect(exit).toBe(0);
  expect(existsSync(join(folder, "trace.zip"))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, "logins.json"), "utf8"))).toHaveProperty("cookies");
});
