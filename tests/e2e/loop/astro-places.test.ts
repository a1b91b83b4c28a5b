import { debugBridge } from "@debug-bridge/browser/astro";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";

let browser: Awaited<ReturnType<typeof sharedChromium>>;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** The script that the integration has Astro put into every page. */
function headScript(): string {
  let script = "";
  debugBridge().hooks["astro:config:setup"]({
    command: "dev",
    updateConfig: () => {},
    injectScript: (_stage, code) => {
      script = code;
    },
  });
  return script;
}

test("elements of Astro keep the lines that they begin in while the document loads, and no attribute of ours", async () => {
  const at = (line: number): string =>
    `data-astro-source-file="/app/src/Shelf.astro" data-astro-source-loc="9:9" data-debug-bridge-line="${line}"`;
  // Astro's own tools may be off, or late: its attributes are still there when the document is complete.
  const html = `<script>${headScript()}</script><button ${at(3)}>One</button><button ${at(5)}>Two</button>`;
  const page = await browser.newPage();
  await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto("http://localhost/");
  const places = await page.evaluate(() =>
    Array.from(document.querySelectorAll("button"), (element) => [
      (element as { __debugBridgeSource?: string }).__debugBridgeSource,
      element.hasAttribute("data-debug-bridge-line"),
    ]),
  );
  expect(places).toEqual([
    ["/app/src/Shelf.astro:3 Shelf", false],
    ["/app/src/Shelf.astro:5 Shelf", false],
  ]);
});
