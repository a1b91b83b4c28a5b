import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { bundleScript, root } from "../page/browser.js";
import { ActStage, WAYS } from "./stage.js";

const stage = new ActStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

async function scriptOf(fixture: string): Promise<string> {
  const source = await bundleScript(`${root}tests/e2e/act/fixtures/${fixture}.ts`, "fixture");
  return `<script>${source.replaceAll("</script", "<\\/script")}</script>`;
}

const ITEMS = ["one", "two", "three", "four", "five", "six"];

/** A list or a grid that SortableJS lets people reorder. */
const sortable = (style: string, options: string): string => `
  <script src="/lib/sortablejs/Sortable.min.js"></script>
  <ul id="list" style="list-style:none;padding:0;margin:40px;width:330px;${style}">${ITEMS.map(
    (item) => `<li data-id="${item}" style="width:100px;height:60px;background:#cde">${item}</li>`,
  ).join("")}</ul>
  <script>window.sortable = new Sortable(list, { ${options} });</script>`;

const MONACO = `<div id="box" style="width:600px;height:300px"></div>
  <script src="/lib/monaco-editor/min/vs/loader.js"></script>
  <script>
    require.config({ paths: { vs: "/lib/monaco-editor/min/vs" } });
    require(["vs/editor/editor.main"], () => {
      window.editor = monaco.editor.create(box, { value: "first", language: "plaintext" });
    });
  </script>`;

describe.each(WAYS)("over %s", (way) => {
  test(`a SortableJS grid is reordered by dragging one item onto another (${way})`, async () => {
    for (const options of ["animation: 100", "forceFallback: true"]) {
      const page = await stage.open(way, sortable("display:flex;flex-wrap:wrap;gap:5px", options));
      const target = { selector: "[data-id=five]" };
      await page.run({ type: "drag", source: { selector: "[data-id=one]" }, target });
      const order = await page.evaluate<string[]>("sortable.toArray()");
      expect(order.indexOf("one"), options).toBeGreaterThan(order.indexOf("four"));
      expect(order.filter((item) => item !== "one")).toEqual(ITEMS.slice(1));
    }
  });

  test(`a SortableJS list is reordered by an offset (${way})`, async () => {
    const page = await stage.open(way, sortable("", ""));
    await page.run({ type: "drag", source: { selector: "[data-id=one]" }, by: { x: 0, y: 130 } });
    expect(await page.evaluate("sortable.toArray()")).toEqual(["two", "three", "one", "four", "five", "six"]);
  });

  test(`a CodeMirror of 200 lines in a scroller is clicked and typed into (${way})`, async () => {
    const page = await stage.open(
      way,
      `<h1>Notes</h1><div id="box" style="height:200px;overflow:auto;border:1px solid"></div>${await scriptOf("codemirror")}`,
      "window.editor",
    );
    await page.run({ type: "click", target: { selector: ".cm-content" } });
    expect(await page.evaluate("editor.hasFocus")).toBe(true);
    await page.run({ type: "type", target: { role: "textbox" }, text: "!" });
    expect(await page.evaluate("editor.state.doc.toString()")).toMatch(/^line 1\n[\s\S]*line 200!?$/);
    expect(await page.evaluate("editor.state.doc.toString()")).toContain("!");
  });

  test(`an Angular field that Enter empties is empty after type with submit (${way})`, async () => {
    const page = await stage.open(way, `<app-root></app-root>${await scriptOf("angular")}`, "window.ready");
    const target = { role: "textbox", name: "To do" };
    await page.run({ type: "type", target, text: "milk", submit: true });
    await page.run({ type: "type", target, text: "bread", submit: true });
    const shown = "[document.querySelector('input').value, document.querySelector('ul').innerText]";
    expect(await page.evaluate(shown)).toEqual(["", "milk\nbread"]);
  });

  test(`Monaco shows its text and what is selected, and is typed into, whichever part of it is named (${way})`, async () => {
    const page = await stage.open(way, MONACO, "window.editor");
    const type = async (target: object, text: string, clear = false): Promise<unknown> => {
      const { applied } = await page.run({ type: "type", target, text, clear });
      expect(applied).toBe(true);
      return page.evaluate("editor.getValue()");
    };
    expect(await type({ selector: ".native-edit-context" }, " second")).toBe("first second");
    expect(await page.look()).toContain("\nfirst second\n");
    await page.evaluate("editor.setSelection(new monaco.Range(1, 1, 1, 6))");
    // Monaco draws with the next frame what a script selects.
    await until(async () => /\nselected in e\d+: "first"$/.test(await page.look()));
    const ref = /(e\d+) textbox/.exec(await page.look())?.[1] ?? "";
    expect(await type({ ref }, "new\nlines", true)).toBe("new\nlines");
    expect(await type({ selector: ".monaco-editor" }, "!")).toBe("new\nlines!");
    await page.run({ type: "type", target: { ref }, text: "", clear: true });
    expect(await page.evaluate("editor.getValue()")).toBe("");
    await page.evaluate("editor.setValue('fixed'), editor.updateOptions({ readOnly: true })");
    expect(await page.run({ type: "type", target: { ref }, text: "never" })).toMatchObject({
      applied: false,
    });
    expect(await page.evaluate("editor.getValue()")).toBe("fixed");
  });
});
