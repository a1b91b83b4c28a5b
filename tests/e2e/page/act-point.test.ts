import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const BOARD = `<style>body{margin:0}</style>
  <button style="position:absolute;left:100px;top:50px;width:80px;height:40px" onclick="console.log('saved', event.clientX, event.clientY)"><b>Save</b></button>
  <input id="i" style="position:absolute;left:100px;top:150px;width:200px;height:30px">
  <div id="box" style="position:absolute;left:300px;top:50px;width:100px;height:100px;overflow:auto"><div style="height:1000px">tall</div></div>`;

test("a click at a point of the viewport hits what is there and reports what it was", async () => {
  const page = await browser.open(BOARD);
  const clicked = await page.run({ type: "click", target: { point: { x: 110, y: 60 } } });
  expect(clicked.value).toEqual({ at: { x: 110, y: 60 }, element: 'button "Save"' });
  expect(clicked.receipt?.console).toMatchObject([{ text: "saved 110 60" }]);
});

test("with an element, a point counts from its top left corner", async () => {
  const page = await browser.open(`${BOARD}<div style="height:3000px"></div>
    <p id="far" style="margin:0;height:50px" onclick="console.log('far', Math.round(event.offsetX), Math.round(event.offsetY))">far</p>`);
  const near = await page.run({ type: "click", target: { text: "Save", point: { x: 5, y: 6 } } });
  expect(near.value).toMatchObject({ at: { x: 105, y: 56 }, element: 'button "Save"' });
  const far = await page.run({ type: "click", target: { selector: "#far", point: { x: 7, y: 8 } } });
  expect(far.receipt?.console).toMatchObject([{ text: "far 7 8" }]);
});

test("a point outside of the viewport is refused with the size of the viewport", async () => {
  const page = await browser.open(BOARD);
  const [width, height] = await page.page.evaluate(() => [window.innerWidth, window.innerHeight]);
  const refused = await page.run({ type: "click", target: { point: { x: 10, y: 100_000 } } });
  expect(refused).toMatchObject({ ok: false, code: "not_actionable" });
  expect(refused.message).toContain(`${width} x ${height}`);
});

test("typing at a point clicks there first", async () => {
  const page = await browser.open(BOARD);
  const typed = await page.run({ type: "type", target: { point: { x: 150, y: 165 } }, text: "hi" });
  expect(typed).toMatchObject({ ok: true, applied: true, value: { value: "hi", at: { x: 150, y: 165 } } });
  const refused = await page.run({ type: "type", target: { point: { x: 110, y: 60 } }, text: "hi" });
  expect(refused.code).toBe("not_actionable");
});

test("scrolling at a point scrolls what is there, and reports the new position", async () => {
  const page = await browser.open(`${BOARD}<div style="height:3000px"></div>`);
  const inside = await page.run({ type: "scroll", target: { point: { x: 320, y: 70 } }, y: 120 });
  expect(inside.value).toMatchObject({ position: { x: 0, y: 120 }, moved: { x: 0, y: 120 } });
  const whole = await page.run({ type: "scroll", y: 400 });
  expect(whole.value).toEqual({ position: { x: 0, y: 400 }, moved: { x: 0, y: 400 } });
  const back = await page.run({ type: "scroll", to: "top" });
  expect(back.value).toEqual({ position: { x: 0, y: 0 }, moved: { x: 0, y: -400 } });
});

test("hover and drag work between points", async () => {
  const page = await browser.open(`${BOARD}
    <script>for (const type of ["pointerdown", "pointerup", "mouseover"])
      document.addEventListener(type, (event) => console.log(type, event.target.id || event.target.localName));</script>`);
  const hovered = await page.run({ type: "hover", target: { point: { x: 150, y: 165 } } });
  expect(hovered.receipt?.console?.map(({ text }) => text)).toContain("mouseover i");
  const dragged = await page.run({
    type: "drag",
    source: { point: { x: 350, y: 100 } },
    target: { point: { x: 150, y: 165 } },
  });
  const lines = dragged.receipt?.console?.map(({ text }) => text) ?? [];
  expect(lines).toContain("pointerdown div");
  expect(lines).toContain("pointerup i");
});

test("a point inside a frame of the same origin reaches the element in it", async () => {
  const page =
    await browser.open(`<iframe style="position:absolute;left:50px;top:60px;border:4px solid;width:200px;height:100px"
    srcdoc="<style>body{margin:0}</style><button style='position:absolute;left:10px;top:10px' onclick='parent.console.log(1)'>Inner</button>"></iframe>`);
  await page.page.frameLocator("iframe").getByText("Inner").waitFor();
  const clicked = await page.run({ type: "click", target: { point: { x: 70, y: 80 } } });
  expect(clicked.value).toMatchObject({ element: 'button "Inner"', at: { x: 70, y: 80 } });
  expect(clicked.receipt?.console).toHaveLength(1);
});
