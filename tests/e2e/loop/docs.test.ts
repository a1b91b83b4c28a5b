import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, runCli } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { APP } from "./app.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** The commands of docs/loop.md, each with the text that the page shows for it, if it does. */
function examples(): { command: string; shown: string | undefined }[] {
  const page = readFileSync(join(ROOT, "docs/loop.md"), "utf8");
  return [...page.matchAll(/```sh\n(.*?)```(?:\s*```text\n(.*?)```)?/gs)].flatMap(
    ([, commands = "", shown]) =>
      commands
        .trim()
        .split("\n")
        .map((command) => ({ command, shown })),
  );
}

/** Refs and times are others each time. */
const plain = (text: string): string => text.replace(/\be\d+\b/g, "e0").replace(/\d+ ms/g, "0 ms");

test("every command of the page about the loop works, and shows what the page says", async () => {
  const { save, home } = await startLoop(browser, APP, { session: "shop" });
  expect(examples().length).toBeGreaterThan(3);
  for (const { command, shown } of examples()) {
    if (command.includes("edit=")) save("src/total.tsx", "prices.length", "prices.length + 1");
    const args = command.replace(/^debug-bridge /, "").split(" ");
    const { code, stdout, stderr } = await runCli([...args, "--home", home]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const line of shown?.trim().split("\n") ?? []) expect(plain(stdout)).toContain(plain(line));
  }
});
