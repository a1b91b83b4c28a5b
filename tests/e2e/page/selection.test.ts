import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const PAGE = `<h1>Notes</h1><textarea id="area" aria-label="Note">first line
second line</textarea>
  <input id="name" aria-label="Name" value="Ada Lovelace"><input id="secret" type="password" value="hunter2-hunter2">
  <div id="rich" contenteditable aria-label="Story">Once <b>upon</b> a time</div>
  <p id="plain">Some <i>plain</i> text</p><p id="mixed">open <span data-bridge-mask>hidden 4711</span> end</p>`;

test("an observation says what is selected, in fields, editors and plain text", async () => {
  const page = await browser.open(PAGE);
  const selected = async (code: string): Promise<string | undefined> => {
    await page.page.evaluate(code);
    const line = (await page.text()).split("\n").at(-1);
    return line?.startsWith("selected") ? line.replace(/ e\d+/, " e") : undefined;
  };
  expect(await selected("0")).toBeUndefined();
  expect(await selected("area.focus(), area.setSelectionRange(6, 17)")).toBe('selected in e: "line second"');
  expect(await selected("area.setSelectionRange(3, 3)")).toBeUndefined();
  expect(
    await selected("document.getElementById('name').focus(), document.getElementById('name').select()"),
  ).toBe('selected in e: "Ada Lovelace"');
  expect(await selected("secret.focus(), secret.select()")).toBeUndefined();
  expect(await selected("rich.focus(), getSelection().selectAllChildren(rich)")).toBe(
    'selected in e: "Once upon a time"',
  );
  expect(await selected("rich.blur(), getSelection().selectAllChildren(plain)")).toBe(
    'selected: "Some plain text"',
  );
  expect(await selected("getSelection().selectAllChildren(mixed)")).toBe('selected: "open end"');
  expect(await selected("getSelection().setBaseAndExtent(plain.firstChild, 2, plain.lastChild, 3)")).toBe(
    'selected: "me plain te"',
  );
  expect(await selected("getSelection().removeAllRanges()")).toBeUndefined();
});

test("a receipt and `since` say that the selection changed", async () => {
  const page = await browser.open(PAGE);
  const { value } = await page.run({ type: "request_ui_tree", format: "text" });
  const { receipt } = await page.run({ type: "click", target: { selector: "#plain" }, clickCount: 3 });
  expect(receipt?.looks).toEqual(['selected: "Some plain text"']);
  const since = await page.run({
    type: "request_ui_tree",
    format: "text",
    since: (value as { version: number }).version,
  });
  expect(since.result).toBe('~ selected: "Some plain text"');
  const again = await page.run({ type: "click", target: { selector: "h1" } });
  expect(again.receipt?.looks).toEqual(["nothing is selected now"]);
});

test("the line of the selection is within the budget of the answer", async () => {
  const page = await browser.open(`<p id="p">${"word ".repeat(600)}</p>`);
  await page.page.evaluate("getSelection().selectAllChildren(p)");
  const { result = "", page: size } = await page.run({
    type: "request_ui_tree",
    format: "text",
    maxTokens: 200,
  });
  expect(result.split("\n").at(-1)).toMatch(/^selected: "(?:word )+/);
  expect(size?.tokens).toBeLessThanOrEqual(200);
});
