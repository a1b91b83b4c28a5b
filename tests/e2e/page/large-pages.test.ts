import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const rows = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `<li><b class="n${i}">Order ${i}</b> <button>Open ${i}</button></li>`,
  ).join("");
const large = (count: number, code: string): string =>
  `<style></style><h1>Orders</h1><button id="go">Go</button><p id="total">Total: 0</p><ul>${rows(count)}</ul>
   <script>go.onclick = () => { ${code} }; const sheet = document.styleSheets[0];</script>`;

describe("what an action changes on a large page", () => {
  const changes = {
    "on the screen": ["total.textContent = 'Total: 1'", ["Total: 1"], ["Total: 0"]],
    "far below, by script": [
      "document.querySelector('.n900').textContent = 'Cancelled'",
      ["Cancelled Open 900"],
      ["Order 900 Open 900"],
    ],
    "far below, by a rule": [
      "sheet.insertRule('.n800 { display: none }')",
      ["Open 800"],
      ["Order 800 Open 800"],
    ],
    "at the end": [
      "document.body.insertAdjacentHTML('beforeend', '<p>Card was declined</p>')",
      ["Card was declined"],
      [],
    ],
  } as const;
  for (const [where, [code, added, removed]] of Object.entries(changes))
    test(`${where} is in the receipt`, async () => {
      const page = await browser.open(large(1_000, code));
      const { receipt } = await page.run({ type: "click", target: { selector: "#go" } });
      expect(receipt?.text).toEqual({ added, removed, passing: [] });
      expect(receipt?.compared).toBeUndefined();
    });

  test("is nothing when it is nothing", async () => {
    const page = await browser.open(large(1_000, "total.textContent = total.textContent"));
    await page.run({ type: "click", target: { selector: "#go" } });
    const { receipt } = await page.run({ type: "click", target: { selector: "#go" } });
    expect(receipt).toEqual({ settled: true, durationMs: expect.any(Number) });
  });

  test("is compared on the screen alone when it has more than 20,000 elements, and that is said", async () => {
    const page = await browser.open(
      large(7_500, "sheet.insertRule('.n6000, #total { visibility: hidden }')"),
    );
    const { receipt } = await page.run({ type: "click", target: { selector: "#go" } });
    expect(receipt).toMatchObject({ text: { added: [], removed: ["Total: 0"] }, compared: "screen" });
    const { value } = await page.run({ type: "request_ui_tree", format: "text" });
    const { version } = value as { version: number };
    const same = await page.run({ type: "request_ui_tree", format: "text", since: version });
    expect(same.result).toMatch(/^nothing changed on the screen/);
  });
});

test("a long list is folded without being read, and cursors lead to its end", async () => {
  const page = await browser.open(`${large(3_000, "")}<p>The end</p>`);
  const first = await page.run({ type: "request_ui_tree", format: "text" });
  expect(first.result).toContain('Order 2 [e4 button "Open 2"]\n… about 2997 more list items; cursor m');
  expect(first.result).toMatch(/The end$/);
  expect(first.page?.total).toBe(3_001);
  const seen = new Set<string>();
  let last = "";
  for (let cursor = first.page?.nextCursor; cursor; ) {
    const next = await page.run({ type: "request_ui_tree", format: "text", maxTokens: 10_000, cursor });
    for (const [order] of (next.result ?? "").matchAll(/Order \d+/g)) seen.add(order);
    last = next.result ?? "";
    cursor = next.page?.nextCursor;
  }
  expect(seen.size).toBe(2_997);
  expect(last).toMatch(/The end$/);
});
