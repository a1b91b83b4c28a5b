import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** The ref of the one line that holds this. */
function refIn(text: string, part: string): string {
  const lines = text.split("\n").filter((line) => line.includes(part));
  expect(lines).toHaveLength(1);
  return String(lines[0]?.split(" ")[0]);
}

describe("everything that can be used has a line with a working ref", () => {
  const drawn = {
    "not displayed": `<label for="c">Agree <span></span></label><input id="c" type="checkbox" style="display:none">`,
    "not displayed, in its label": `<label><input id="c" type="checkbox" hidden><span>Agree</span></label>`,
    "without a size": `<label><input id="c" type="checkbox" style="position:absolute;opacity:0;width:0;height:0"> Agree</label>`,
    "outside of the page": `<label><input id="c" type="checkbox" style="position:absolute;left:-9999px"> <b>Agree</b></label>`,
    "deaf to the pointer": `<label style="position:relative"><input id="c" type="checkbox" style="position:absolute;top:30px;pointer-events:none"> <b>Agree</b></label>`,
  };
  for (const [how, html] of Object.entries(drawn)) {
    test(`a checkbox that its label draws: ${how}`, async () => {
      const page = await browser.open(`<h1>Terms</h1>${html}`);
      const text = await page.text();
      expect(text).toContain('checkbox "Agree" unchecked');
      expect(text).not.toContain("covered");
      const target = { ref: refIn(text, "Agree") };
      expect(await page.run({ type: "click", target })).toMatchObject({
        ok: true,
        receipt: { changed: [{ role: "checkbox", name: "Agree", field: "checked", after: "true" }] },
      });
      expect(await page.text()).toContain('checkbox "Agree" checked');
      const named = { role: "checkbox", name: "Agree" };
      expect(await page.run({ type: "click", target: named })).toMatchObject({ ok: true });
      expect(await page.page.locator("#c").isChecked()).toBe(false);
    });
  }

  test("a radio button and a file field that their labels draw", async () => {
    const page = await browser.open(`<label for="r">Express</label><input id="r" type="radio" hidden>
      <label for="f">Upload <i>a file</i></label><input id="f" type="file" hidden>
      <label for="h">Nickname</label><input id="h" hidden>`);
    const text = await page.text();
    expect(text).toContain('radio "Express" unchecked');
    expect(text).toContain('file "Upload a file"');
    expect(text).not.toContain("textbox");
  });

  test("a label that is hidden with its control has no line, and one that is inert is only text", async () => {
    const page = await browser.open(
      `<div hidden><label for="c">Agree</label><input id="c" type="checkbox"></div>
       <div inert><label>Later <input type="checkbox" style="position:absolute;left:-9999px"></label></div><button>Go</button>`,
    );
    expect(await page.text()).toMatch(/^Later\ne\d+ button "Go"$/);
  });

  test("what is drawn with SVG", async () => {
    const page = await browser.open(`<svg width="300" height="60">
        <title>Sales</title><desc>by month</desc><text x="5" y="50">Legend</text>
        <a href="#may"><text x="5" y="20">May</text></a>
        <g role="button" tabindex="0" aria-label="Zoom" onclick="document.title='zoomed'"><circle cx="150" cy="20" r="9"></circle></g>
        <rect x="200" y="5" width="20" height="20" aria-label="June" role="button" onclick="document.title='june'"></rect>
      </svg>
      <svg role="button" aria-label="Close" width="20" height="20" onclick="document.title='closed'"><path d="M0 0h20v20H0z"></path></svg>
      <button><svg width="9" height="9"><title>Bin</title><path d="M0 0h9v9H0z"></path></svg></button>`);
    const text = await page.text();
    expect(text).toContain("Legend");
    for (const [name, title] of [
      ["Zoom", "zoomed"],
      ["June", "june"],
      ["Close", "closed"],
    ]) {
      const answer = await page.run({ type: "click", target: { ref: refIn(text, `button "${name}"`) } });
      expect(answer).toMatchObject({ ok: true });
      expect(await page.page.title()).toBe(title);
    }
    const link = await page.run({ type: "click", target: { ref: refIn(text, 'link "May"') } });
    expect(link.receipt?.navigation?.to).toBe("http://app.test/#may");
  });
});

test("a list in which several are chosen shows all of them", async () => {
  const page = await browser.open(
    `<select multiple aria-label="Days"><option value="1">Mon</option><option value="2">Tue</option><option value="3">Wed</option></select>`,
  );
  const answer = await page.run({ type: "select", target: { text: "Days" }, values: ["Mon", "3"] });
  expect(answer).toMatchObject({
    applied: true,
    receipt: { changed: [{ field: "value", before: "", after: "1, 3" }] },
  });
  expect(await page.text()).toContain('listbox "Days" value "1, 3"');
});
