import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** Serves a folder as hosts of static pages do. */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream").end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("the documentation is a site without dead links, with a search, that asks no other host", async () => {
  const folder = join(temporaryFolder(), "site");
  const vitepress = join(ROOT, "node_modules/vitepress/bin/vitepress.js");
  const built = await start(process.execPath, [vitepress, "build", "docs", "--outDir", folder]).finished;
  expect(built).toMatchObject({ code: 0 });

  const url = await serve(folder);
  const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) problems.push(request.url());
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(url);
  await page.getByRole("heading", { name: "Debug Bridge", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("edit receipt");
  await page.getByRole("option").filter({ hasText: "The developer's loop" }).first().click();
  await page.getByRole("heading", { name: "The developer's loop", level: 1 }).waitFor();
  // A link of a page leads to another page, in the site as in the repository.
  await page
    .getByRole("main")
    .getByRole("link", { name: "docs/why.md" })
    .or(page.getByRole("link", { name: "Why something happened" }))
    .first()
    .click();
  await page.getByRole("heading", { name: "Why something happened", level: 1 }).waitFor();
  expect(problems).toEqual([]);
});
