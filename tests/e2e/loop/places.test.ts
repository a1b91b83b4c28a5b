import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { startLoop } from "./stage.js";
import { lineOf, page } from "./twenty.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const SHOP = `import { useState } from "react";

interface Coupon { readonly percent: number }

export function Shop() {
  const [found, setFound] = useState<Coupon | undefined>();
  const apply = async (): Promise<void> => {
    await fetch("/nothing");
    setFound((undefined as unknown as { coupon: Coupon }).coupon);
  };
  Object.assign(window, {
    greet: (): void => console.info("hello"),
  });
  return <button onClick={apply}>Apply {found?.percent}</button>;
}
`;
const FILES = {
  "index.html": page("main.tsx"),
  "src/main.tsx": `import { createRoot } from "react-dom/client";
import { Shop } from "./shop.tsx";
createRoot(document.getElementById("root")!).render(<Shop />);
`,
  "src/shop.tsx": SHOP,
};
const LINE = lineOf(SHOP, "setFound((undefined");

test("every place of an error is that of the source, or says that it is of the served file", async () => {
  const { mcp, home, hub, token, page: app } = await startLoop(browser, FILES);
  const written = new RegExp(`src/shop\\.tsx:${LINE}:\\d+`);
  const click = { session: "app", type: "click", target: { text: "Apply" } };
  expect((await mcp.call("act", click)).text).toMatch(written);
  expect((await mcp.call("logs", { session: "app", errors: true })).text).toMatch(written);
  const shell = await runCli(["logs", "app", "errors=true", "--home", home]);
  expect(shell.stdout).toMatch(written);
  const acted = await runCli(["act", "app", "click", "Apply", "--home", home]);
  expect(acted.stdout).toMatch(written);
  const why = (await mcp.call("logs", { session: "app", why: 0 })).text;
  expect(why).toContain(`src/shop.tsx:${LINE}:`);
  // No line of the served file is beside it.
  const lines = [...why.matchAll(/shop\.tsx:(\d+)/g)].map(([, line]) => Number(line));
  expect(lines.every((line) => line <= SHOP.split("\n").length)).toBe(true);

  const dashboard = await app.context().newPage();
  await dashboard.goto(`${hub}/#token=${token}`);
  await dashboard.getByRole("link", { name: "Shop" }).first().click();
  const place = dashboard.locator(".place-in-code", { hasText: "shop.tsx" }).first();
  // At first the row has the place of the served file.
  await until(async () => (await place.count()) > 0 && !/as served$/.test(await place.innerText()));
  expect(await place.innerText()).toBe(`shop.tsx:${LINE}`);
  expect(await place.getAttribute("title")).toMatch(written);
  await place.click();
  const where = dashboard.getByRole("definition").filter({ hasText: written });
  await where.first().waitFor();
  // A line that does not fail is placed, too.
  await app.evaluate(() => (window as unknown as { greet(): void }).greet());
  await dashboard.locator(".place-in-code", { hasText: `shop.tsx:${lineOf(SHOP, "hello")}` }).waitFor();
});
