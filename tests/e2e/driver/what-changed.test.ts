import { afterAll, beforeAll, expect, test } from "vitest";
import { DriverStage } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

test("what the pointer reveals is in the receipt and in what changed since", async () => {
  const { page } =
    await stage.open(`<style>li .more { display: none } li:hover .more { display: inline }</style>
    <p>To do</p><ul><li>Buy milk <span class="more">today <button>Delete</button></span></li></ul>`);
  const { value } = await page.run({ type: "request_ui_tree", format: "text" });
  const { receipt } = await page.run({ type: "hover", target: { selector: "li" } });
  expect(receipt?.appeared).toMatchObject([{ role: "button", name: "Delete" }]);
  expect(receipt?.text?.added).toEqual(['Buy milk today ["Delete"]']);
  const { version } = value as { version: number };
  const later = await page.run({ type: "request_ui_tree", format: "text", since: version });
  expect(later.result).toMatch(/^\+ e\d+ button "Delete"$/m);
  expect(later.result).toContain('- "Buy milk"');
});

test("a box that is checked reveals text by a rule alone", async () => {
  const { page } =
    await stage.open(`<style>#more { display: none } #all:checked ~ #more { display: block }</style>
    <input type="checkbox" id="all" aria-label="All"><p id="more">Forty more</p>`);
  const { receipt } = await page.run({ type: "click", target: { selector: "#all" } });
  expect(receipt?.changed).toMatchObject([{ role: "checkbox", field: "checked", after: "true" }]);
  expect(receipt?.text?.added).toEqual(["Forty more"]);
});
