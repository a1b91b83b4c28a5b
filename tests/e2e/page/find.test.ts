import type { CommandInput } from "@debug-bridge/protocol";
import { estimateTokens } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

type Wanted = Omit<Extract<CommandInput, { type: "find" }>, "type">;
const find = (page: EnginePage, wanted: Wanted): Promise<Answer> => page.run({ type: "find", ...wanted });

/** The answer without refs, which depend on what else is on the page. */
async function found(page: EnginePage, wanted: Wanted): Promise<string> {
  const { result = "", ...rest } = await find(page, wanted);
  expect(rest).toMatchObject({ ok: true });
  return result.replace(/\be\d+ /g, "e ");
}

const table = (rows: number): string => `<h1>Shop</h1><h2>Customers</h2><table>
  <thead><tr><th>No</th><th>Name</th><th>City</th><th>Action</th></tr></thead>
  ${Array.from(
    { length: rows },
    (_, i) =>
      `<tr><td>${i}</td><td>Customer ${i}</td><td>Oslo</td><td><button onclick="last.textContent='opened ${i}'">Open</button></td></tr>`,
  ).join("")}</table><p id="last"></p>`;

describe("find", () => {
  test("shows row 733 of 1,000 with its headers, its section and its button in one call of at most 150 tokens", async () => {
    const page = await browser.open(table(1_000));
    const answer = await find(page, { text: "Customer 733", maxTokens: 150 });
    expect(answer.result).toMatch(
      /^in ## Customers > columns No \| Name \| City \| Action\nrow 733 \| Customer 733 \| Oslo \| \[e\d+ button "Open"\]$/,
    );
    expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(150);
    const { matches } = answer.value as { matches: { ref: string; role: string; name: string }[] };
    expect(matches).toEqual([{ ref: expect.stringMatching(/^e\d+$/), role: "button", name: "Open" }]);
    await page.run({ type: "click", target: { ref: matches[0]?.ref as string } });
    expect(await page.page.locator("#last").textContent()).toBe("opened 733");
  });

  test("finds the button of a row by its role and the text of the row", async () => {
    const page = await browser.open(table(50));
    const { value } = await find(page, { role: "button", text: "customer 7 " });
    const { matches } = value as { matches: { ref: string }[] };
    expect(matches).toHaveLength(1);
  });

  test("never separates a row from its controls, whatever the budget", async () => {
    const page = await browser.open(table(200));
    let cursor: string | undefined;
    let rows = 0;
    do {
      const { result = "", page: size } = await find(page, {
        text: "Oslo",
        maxTokens: 90,
        ...(cursor ? { cursor } : {}),
      });
      for (const line of result.split("\n").slice(1)) {
        expect(line).toMatch(/^row \d+ \| Customer \d+ \| Oslo \| \[e\d+ button "Open"\]$/);
        rows++;
      }
      expect(size?.total).toBe(200);
      expect(size?.tokens).toBeLessThanOrEqual(90);
      cursor = size?.nextCursor;
    } while (cursor);
    expect(rows).toBe(200);
  });

  test("searches by role, name, regular expression and state", async () => {
    const page = await browser.open(`<h1>Settings</h1>
      <label><input type="checkbox" checked> Mail</label><label><input type="checkbox"> Phone</label>
      <form aria-label="Address"><label>Street <input required></label><button disabled>Save</button></form>
      <button aria-expanded="false">More</button><details><summary>Help</summary><button>Chat</button></details>
      <p>Order 4711 was sent.</p><p>Order 12 is late.</p>`);
    expect(await found(page, { role: "checkbox" })).toContain('checkbox "Phone" unchecked');
    expect(await found(page, { state: "checked" })).toBe('in # Settings\ne checkbox "Mail" checked');
    expect(await found(page, { state: "disabled" })).toBe(
      'in [form "Address"] > # Settings\ne button "Save" disabled',
    );
    expect(await found(page, { state: "required" })).toContain('textbox "Street"');
    expect(await found(page, { state: "collapsed" })).toMatch(/More.*\n.*Help/);
    expect(await found(page, { name: "mor" })).toContain('button "More" collapsed');
    expect(await found(page, { pattern: "order \\d{4}" })).toContain("Order 4711 was sent.");
    expect(await found(page, { pattern: "^order \\d{2} " })).toContain("Order 12 is late.");
    expect(await found(page, { role: "heading" })).toBe("e # Settings");
    expect(await found(page, { role: "button", name: "chat" })).toBe("nothing matches");
    expect(await found(page, { state: "hidden", role: "button" })).toBe(
      'in # Settings\ne button "Chat" hidden',
    );
    await page.page.locator("input[required]").focus();
    expect(await found(page, { state: "focused" })).toContain('textbox "Street"');
  });

  test("does not take refs and roles for text", async () => {
    const page = await browser.open(`<button>Save</button><p>A plain sentence.</p>`);
    expect(await found(page, { text: "button" })).toBe("nothing matches");
    expect(await found(page, { pattern: "^e\\d" })).toBe("nothing matches");
  });

  test("shows a card and a dialog around what matches", async () => {
    const card = (name: string): string =>
      `<div class="card"><h3>${name}</h3><p>Costs 5</p><div><button>Buy</button></div></div>`;
    const page = await browser.open(`<h1>Shop</h1><div>${["Apple", "Pear", "Plum"].map(card).join("")}</div>
      <dialog open aria-label="Sure?"><p>Remove Pear?</p><button>Yes</button></dialog>`);
    const pears = await found(page, { text: "pear" });
    expect(pears).toContain('in # Shop\n### Pear\nCosts 5\ne button "Buy"');
    expect(pears).toContain('\n[dialog "Sure?"]\nRemove Pear?\ne button "Yes"');
    expect(pears).not.toContain("Plum");
  });

  test("looks only inside a target", async () => {
    const page = await browser.open(
      `<nav><a href="#a">Home</a></nav><main><a href="#b">Home page</a></main>`,
    );
    expect(await found(page, { text: "home", target: { selector: "main" } })).toMatch(/link "Home page"$/);
  });

  test("searches long texts to their end", async () => {
    const page = await browser.open(`<p>${"word ".repeat(500)} needle-42 ${"word ".repeat(100)}</p>`);
    expect(await found(page, { text: "needle-42" })).toContain("needle-42");
    expect(await found(page, { pattern: "needle-\\d+" })).toContain("needle-42");
  });

  test("stops a pattern that takes too long", async () => {
    const page = await browser.open(
      Array.from({ length: 2_000 }, (_, i) => `<p>${i} ${"a".repeat(290)}</p>`).join(""),
    );
    const startedAt = Date.now();
    expect(await find(page, { pattern: "a*a*a*b" })).toMatchObject({ ok: false, code: "timeout" });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  test("finds by source what the page's framework reports, and says when it reports nothing", async () => {
    const page = await browser.open(
      `<button data-source="src/Cart.tsx:12">Pay</button><button>Other</button>`,
    );
    expect(await found(page, { source: "Cart.tsx" })).toMatch(/button "Pay" \(src\/Cart\.tsx:12\)$/);
    const other = await browser.open("<button>Pay</button>");
    expect(await find(other, { source: "Cart.tsx" })).toMatchObject({ ok: false, code: "not_supported" });
  });

  test("refuses a cursor whose match is gone", async () => {
    const page = await browser.open(table(100));
    const { page: size } = await find(page, { text: "Oslo", maxTokens: 60 });
    await page.page.evaluate(() => document.querySelector("table")?.remove());
    expect(
      await find(page, { text: "Oslo", maxTokens: 60, cursor: size?.nextCursor as string }),
    ).toMatchObject({ ok: false, code: "cursor_expired" });
  });

  test("leaves secrets out", async () => {
    const page = await browser.open(
      `<label>Password <input type="password" value="hunter2-hunter2"></label><p data-bridge-mask>Card 4111</p>`,
    );
    expect(await found(page, { text: "hunter2" })).toBe("nothing matches");
    expect(await found(page, { text: "4111" })).toBe("nothing matches");
  });
});
