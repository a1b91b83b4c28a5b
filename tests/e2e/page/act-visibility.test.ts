import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("what covers an element", () => {
  test("our own elements cover nothing", async () => {
    const page = await browser.open(
      `<button id="b" style="position:fixed;right:0;bottom:0" onclick="document.title='clicked'">Corner</button>`,
    );
    await page.page.evaluate(() => {
      const mark = document.createElement("x-mark");
      mark.style.cssText = "position:fixed;right:0;bottom:0;width:200px;height:100px;z-index:9;display:block";
      mark.attachShadow({ mode: "closed" }).innerHTML =
        "<button style='width:100%;height:100%'>Stop</button>";
      (globalThis as unknown as { engine: { ignore(node: Node): void } }).engine.ignore(mark);
      document.body.append(mark);
    });
    expect(await page.item(({ text }) => text === "Corner")).toMatchObject({ visible: true });
    expect(await page.run({ type: "click", target: { text: "Corner" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("clicked");
  });

  test("a dialog or overlay over a frame makes its content unusable", async () => {
    const page = await browser.open(`<div style="height:40px"></div>
      <iframe id="f" style="width:300px;height:90px;border:5px solid;padding:7px" srcdoc="<body style='margin:0'><button onclick='parent.framed = (parent.framed ?? 0) + 1'>In frame</button></body>"></iframe>
      <dialog id="d">Really?</dialog><div style="height:2000px"></div>`);
    await page.page.frameLocator("#f").locator("button").waitFor();
    const click = () => page.run({ type: "click", target: { text: "In frame" } });
    const refused = async (why: string): Promise<void> => {
      const answer = await click();
      expect(answer).toMatchObject({ ok: false, code: "not_actionable" });
      expect(answer.message).toContain(why);
      expect(await page.item(({ text }) => text === "In frame")).toMatchObject({ visible: false });
    };
    expect(await click()).toMatchObject({ ok: true });
    await page.page.evaluate("d.showModal()");
    await refused("inert");
    await page.page.evaluate("d.close(); f.inert = true");
    await refused("inert");
    await page.page.evaluate(() => {
      (document.getElementById("f") as HTMLElement).inert = false;
      document.body.insertAdjacentHTML(
        "beforeend",
        `<div id="veil" style="position:absolute;left:0;top:0;width:100%;height:100%"></div>`,
      );
    });
    await refused("#veil");
    await page.page.evaluate("veil.remove(); scrollTo(0, 1500)");
    expect(await click()).toMatchObject({ ok: true });
    expect(await page.page.evaluate("framed")).toBe(2);
  });
});

test("what is scrolled out of a list is not covered by what is below the list", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, n) => `<button style="display:block;height:30px">Row ${n}</button>`,
  );
  const page = await browser.open(`<div style="height:120px;overflow:auto">${rows.join("")}</div>
    <div id="foot" style="height:300px;background:#eee">Foot</div>
    <div style="position:relative;height:40px"><div style="height:10px"><button style="position:relative;top:15px">Under</button></div>
      <div id="veil" style="position:absolute;inset:0"></div></div>`);
  for (const name of ["Row 6", "Row 11"])
    expect(await page.item(({ text }) => text === name)).toMatchObject({
      visible: true,
      hiddenBy: "off-screen",
    });
  expect(await page.item(({ text }) => text === "Under")).toMatchObject({ hiddenBy: "occluded" });
  expect((await page.text()).match(/covered/g)).toHaveLength(1);
  expect(await page.run({ type: "click", target: { text: "Row 11" } })).toMatchObject({ ok: true });
  expect(await page.item(({ text }) => text === "Row 0")).toMatchObject({ hiddenBy: "off-screen" });
});

describe("of several dialogs the one that was opened last is used", () => {
  const dialogs = `<dialog id="ask"><button onclick="document.title='deleted'; ask.close()">Really</button></dialog>
    <dialog id="edit"><button onclick="ask.showModal()">Delete</button></dialog>
    <button onclick="edit.showModal()">Edit</button>`;

  test("even when it comes before the other in the document", async () => {
    const page = await browser.open(dialogs);
    for (const text of ["Edit", "Delete"])
      expect(await page.run({ type: "click", target: { text } })).toMatchObject({ ok: true });
    expect(await page.text()).toContain('button "Really"');
    expect(await page.item(({ text }) => text === "Delete")).toMatchObject({ hiddenBy: "inert" });
    expect(await page.run({ type: "click", target: { text: "Really" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("deleted");
    expect(await page.run({ type: "click", target: { text: "Delete" } })).toMatchObject({ ok: true });
  });

  test("and Escape closes it, even inside a shadow root", async () => {
    const page = await browser.open(`${dialogs}<x-box>Text of it</x-box><script>
      const root = document.querySelector("x-box").attachShadow({ mode: "open" });
      root.innerHTML = "<dialog><slot></slot><button>Deep</button></dialog>";
    </script>`);
    const open = (): Promise<unknown> =>
      page.page.evaluate(() =>
        [
          ...document.querySelectorAll("dialog"),
          document.querySelector("x-box")?.shadowRoot?.querySelector("dialog"),
        ]
          .filter((dialog) => dialog?.open)
          .map((dialog) => dialog?.id || "deep"),
      );
    await page.page.evaluate(`edit.showModal(); ask.showModal(); root.querySelector("dialog").showModal()`);
    expect(await page.run({ type: "click", target: { text: "Deep" } })).toMatchObject({ ok: true });
    await page.run({ type: "press", key: "Escape" });
    expect(await open()).toEqual(["ask", "edit"]);
    await page.run({ type: "press", key: "Escape" });
    expect(await open()).toEqual(["edit"]);
    await page.run({ type: "press", key: "Escape" });
    expect(await open()).toEqual([]);
  });
});

describe("an element that lets the pointer through", () => {
  test("is seen, and the refusal explains why it cannot be pressed", async () => {
    const page = await browser.open(`<div><button style="pointer-events:none" disabled>Save</button></div>
      <div style="pointer-events:none"><button>Sleeping</button><button style="pointer-events:auto">Awake</button></div>`);
    for (const name of ["Save", "Sleeping", "Awake"])
      expect(await page.item(({ text }) => text === name)).toMatchObject({ visible: true });
    expect(await page.text()).not.toContain("covered");
    expect(await page.run({ type: "wait_for", target: { text: "Save" }, maxMs: 500 })).toMatchObject({
      ok: true,
    });
    const answer = await page.run({ type: "click", target: { text: "Sleeping" } });
    expect(answer).toMatchObject({ ok: false, code: "not_actionable" });
    expect(answer.message).toContain("pointer-events: none");
    expect(await page.run({ type: "click", target: { text: "Awake" } })).toMatchObject({ ok: true });
  });

  test("is still covered by what is above it", async () => {
    const page = await browser.open(`<button style="pointer-events:none">Save</button>
      <div id="veil" style="position:fixed;inset:0"></div>`);
    expect(await page.item(({ text }) => text === "Save")).toMatchObject({ hiddenBy: "occluded" });
    const answer = await page.run({ type: "click", target: { text: "Save" } });
    expect(answer.message).toContain("#veil");
  });
});

test("what a person cannot point at is not hovered", async () => {
  const page = await browser.open(`<button hidden onmouseenter="document.title='entered'">Hidden</button>
    <div style="position:relative;width:80px"><button onmouseenter="document.title='entered'">Below</button>
    <div id="veil" style="position:absolute;inset:0"></div></div>
    <button disabled title="why">Disabled</button>`);
  for (const text of ["Hidden", "Below"])
    expect(await page.run({ type: "hover", target: { text } })).toMatchObject({ code: "not_actionable" });
  expect(await page.page.title()).toBe("Test");
  expect(await page.run({ type: "hover", target: { text: "Disabled" } })).toMatchObject({ ok: true });
});

test("a drag ends within its target, even when that has to be scrolled to", async () => {
  const page = await browser.open(`<div id="card" draggable="true" style="width:80px">Card</div>
    <div style="height:900px"></div><div id="bin" style="height:60px">Bin</div><div style="height:900px"></div>
    <script>
      const at = (event) => document.elementFromPoint(event.clientX, event.clientY)?.id;
      bin.ondragover = (event) => event.preventDefault();
      bin.ondrop = (event) => { window.dropped = at(event); };
    </script>`);
  const drag = { type: "drag", source: { selector: "#card" }, target: { selector: "#bin" } } as const;
  expect(await page.run(drag)).toMatchObject({ ok: true });
  expect(await page.page.evaluate("dropped")).toBe("bin");
});

test("[ARC-020] a drag goes to the element that captured the pointer", async () => {
  const page =
    await browser.open(`<div id="knob" style="width:20px;height:20px;background:red">K</div><div id="end" tabindex="0" style="margin-left:300px;width:40px">End</div>
    <script>window.log = [];
      knob.onpointerdown = (e) => { knob.setPointerCapture(e.pointerId); log.push("has:" + knob.hasPointerCapture(e.pointerId)); };
      for (const type of ["gotpointercapture", "pointermove", "pointerup", "lostpointercapture"])
        knob.addEventListener(type, (e) => { log.push(type); if (type === "pointerup") document.title = "x" + Math.round(e.clientX); });
      end.onpointerup = () => log.push("wrong");
      window.methods = [Element.prototype.setPointerCapture, Element.prototype.hasPointerCapture];</script>`);
  expect(
    await page.run({ type: "drag", source: { selector: "#knob" }, target: { selector: "#end" } }),
  ).toMatchObject({ ok: true });
  const log = await page.page.evaluate<string[]>("[...new Set(log)]");
  expect(log.filter((each) => each !== "pointermove")).toEqual([
    "gotpointercapture",
    "has:true",
    "pointerup",
    "lostpointercapture",
  ]);
  expect(await page.page.evaluate("log.filter((each) => each === 'pointermove').length")).toBeGreaterThan(4);
  expect(await page.page.title()).toMatch(/^x3\d\d$/);
  expect(
    await page.page.evaluate(
      "methods[0] === Element.prototype.setPointerCapture && methods[1] === Element.prototype.hasPointerCapture",
    ),
  ).toBe(true);
});
