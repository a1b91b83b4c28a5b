import { formatConsoleArguments } from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_CASES } from "../../support/console/console-cases.js";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

test("console calls read the same and are masked the same in an SDK page", async () => {
  const page = await browser.open("<p>hi</p>");
  const calls = CONSOLE_CASES.map(({ call }) => `console.log(${call});`).join("\n");
  await page.page.evaluate(calls);
  const lines = await page.messages("console");
  expect(lines.map(({ values }) => formatConsoleArguments(values ?? []))).toEqual(
    CONSOLE_CASES.map(({ text }) => text),
  );
});
