import { estimateTokens } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ActPage, ActStage, WAYS } from "./stage.js";

/* What an agent sees, on pages that show one thing each, by the page engine alone and over CDP. */

const stage = new ActStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const shown = async (page: ActPage): Promise<string> => (await page.look()).replace(/\be\d+ /g, "e ");

const DIALOG = `<div role=dialog aria-labelledby=t tabindex=-1><h2 id=t>Delete account</h2><p>This removes 42 invoices.</p>
  <input aria-label="Password"><button>Delete</button></div>`;

describe.each(WAYS)("over %s", (way) => {
  test(`containers that can be focused, clicked or edited keep their text (${way})`, async () => {
    const page = await stage.open(
      way,
      `${DIALOG}<a href="#x"><b>Card</b> with <i>a long story</i></a>
       <div tabindex="0" style="overflow:auto;height:60px"><p>Scrolled text</p></div>
       <div contenteditable>Edited <b>text</b></div><div onclick="1"><h3>Offer</h3><p>Two for one</p></div>`,
    );
    const text = await shown(page);
    for (const part of [
      "Delete account",
      "This removes 42 invoices.",
      "Scrolled text",
      "Edited text",
      "Two for one",
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/Card with a long story/);
    expect(text.indexOf("This removes")).toBeLessThan(text.indexOf('button "Delete"'));
  });

  test(`a receipt and what changed since say which text came and went (${way})`, async () => {
    const page = await stage.open(
      way,
      `<p id="total">Total: 0</p><button onclick="total.textContent = 'Total: 10';
         total.insertAdjacentHTML('afterend', '<p>Card was declined</p>')">Pay</button>`,
    );
    const { value } = await page.run({ type: "request_ui_tree", format: "text" });
    const { receipt } = await page.run({ type: "click", target: { text: "Pay" } });
    expect(receipt?.text).toMatchObject({ added: ["Total: 10", "Card was declined"], removed: ["Total: 0"] });
    const { version: since } = value as { version: number };
    const { result } = await page.run({ type: "request_ui_tree", format: "text", since });
    for (const line of ['+ "Card was declined"', '+ "Total: 10"', '- "Total: 0"'])
      expect(result?.split("\n")).toContain(line);
  });

  test(`the end of a long paragraph, name and value can be read (${way})`, async () => {
    const long = (end: string): string => `${"many words ".repeat(200)}${end}`;
    const page = await stage.open(
      way,
      `<p>${long("paragraph end")}</p><button>${long("name end")}</button><textarea aria-label="Note">${long("value end")}</textarea>`,
    );
    let read = "";
    let cursor: string | undefined;
    do {
      const answer = await page.run({
        ...{ type: "request_ui_tree" as const, format: "text" as const, maxTokens: 300 },
        ...(cursor ? { cursor } : {}),
      });
      read += `${answer.result}\n`;
      cursor = answer.page?.nextCursor;
    } while (cursor);
    expect(read).toContain("paragraph end");
    for (const [role, end] of [
      ["button", "name end"],
      ["textbox", "value end"],
    ] as const) {
      const ref = new RegExp(`(e\\d+) ${role}`).exec(read)?.[1] ?? "";
      const inside = await page.run({
        ...{ type: "request_ui_tree" as const, format: "text" as const, target: { ref } },
        maxTokens: 4_000,
      });
      expect(`${read}${inside.result}`).toContain(end);
    }
  });

  test(`sentences are as they are rendered, with what can be used in its place (${way})`, async () => {
    const page = await stage.open(
      way,
      `<p>Please do not press <a href="#d">Delete</a> before you read <a href="#t">the terms</a>, then wait.</p>
       <p>H<sub>2</sub>O is <b>w</b>ater</p>`,
    );
    const text = await shown(page);
    expect(text).toContain(
      'Please do not press [e link "Delete"] before you read [e link "the terms"], then wait.',
    );
    expect(text).toContain("H2O is water");
  });

  test(`labels and presentation have no separate refs, and refs are short (${way})`, async () => {
    const page = await stage.open(
      way,
      Array.from(
        { length: 5 },
        (_, i) => `<label for="i${i}">Field ${i}</label><span role="presentation"><input id="i${i}"></span>`,
      ).join(""),
    );
    const refs = (await page.look()).match(/\be\d+\b/g) ?? [];
    expect(refs).toHaveLength(5);
    expect(Math.max(...refs.map((ref) => ref.length))).toBeLessThanOrEqual(5);
  });

  test(`text that only CSS draws is seen, and what is drawn by it alone can be used (${way})`, async () => {
    const page = await stage.open(
      way,
      `<style>#x::after { content: "×"; font-size: 30px } #n::before { content: "New: " }</style>
       <button id="x" onclick="document.title = 'closed'"></button><p id="n">Offer</p>`,
    );
    expect(await shown(page)).toContain("New: Offer");
    await page.run({ type: "click", target: { role: "button" } });
    expect(await page.evaluate("document.title")).toBe("closed");
  });

  test(`a row of a long table is found with its button in one call (${way})`, async () => {
    const rows = Array.from(
      { length: 1_000 },
      (_, i) => `<tr><td>Customer ${i}</td><td><button>Open</button></td></tr>`,
    );
    const page = await stage.open(
      way,
      `<table><tr><th>Name</th><th>Action</th></tr>${rows.join("")}</table>`,
    );
    const answer = await page.run({ type: "find", text: "Customer 733", maxTokens: 150 });
    expect(answer.result).toMatch(/row Customer 733 \| \[e\d+ button "Open"\]$/);
    expect(estimateTokens(answer.result ?? "")).toBeLessThanOrEqual(150);
  });
});
