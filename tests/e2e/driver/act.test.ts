import { afterAll, beforeAll, expect, test } from "vitest";
import { DriverStage, failure, itemsOf } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

test("a click is trusted, and its receipt reports what it caused", async () => {
  stage.answers.set("/api/save", { type: "application/json", body: "{}" });
  const { page } = await stage.open(`<button onclick="
    document.title = String(event.isTrusted);
    console.log('saving', { id: 7 });
    fetch('/api/save', { method: 'POST' });
    this.insertAdjacentHTML('afterend', '<button>Undo</button>')">Save</button>`);
  const { receipt } = await page.run({ type: "click", target: { text: "Save" } });
  expect(receipt).toMatchObject({
    settled: true,
    appeared: [{ role: "button", name: "Undo" }],
    console: [{ level: "log", text: 'saving {"id":7}' }],
    requests: [{ method: "POST", url: stage.url("/api/save"), status: 200 }],
  });
  expect((await page.run({ type: "evaluate", code: "document.title" })).value).toBe("true");
});

test("double, right and modified clicks arrive as such", async () => {
  const { page } = await stage.open(`<button id="b" ondblclick="console.log('double')"
    oncontextmenu="console.log('menu'); event.preventDefault()"
    onclick="console.log('click', event.detail, event.shiftKey)">B</button>`);
  const lines = async (more: object): Promise<string[]> => {
    const { receipt } = await page.run({ type: "click", target: { selector: "#b" }, ...more });
    return receipt?.console?.map(({ text }) => text) ?? [];
  };
  expect(await lines({ clickCount: 2 })).toEqual(["click 1 false", "click 2 false", "double"]);
  expect(await lines({ button: "right" })).toEqual(["menu"]);
  expect(await lines({ modifiers: ["Shift"] })).toEqual(["click 1 true"]);
});

test("typing goes key by key, is verified, and clears what was there", async () => {
  const { page } = await stage.open(
    `<input id="i" value="old" onkeydown="(window.keys ??= []).push(event.key)"><textarea id="t"></textarea>`,
  );
  const typed = await page.run({ type: "type", target: { selector: "#i" }, text: "Hé!", clear: true });
  expect(typed).toMatchObject({ applied: true, value: { value: "Hé!" } });
  expect((await page.run({ type: "evaluate", code: "keys" })).value).toEqual(["Shift", "H", "é", "!"]);
  const long = "line one\nline two ".repeat(40);
  const whole = await page.run({ type: "type", target: { selector: "#t" }, text: long });
  expect(whole.applied).toBe(true);
  expect((await page.run({ type: "evaluate", code: "document.querySelector('#t').value" })).value).toBe(long);
});

test("an app that restores the old value is detected", async () => {
  const { page } = await stage.open(`<input id="i" oninput="this.value = ''">`);
  const typed = await page.run({ type: "type", target: { selector: "#i" }, text: "x" });
  expect(typed.applied).toBe(false);
});

test("keys do what the browser does with them", async () => {
  const { page } = await stage.open(
    `<form onsubmit="event.preventDefault(); console.log('sent')"><input id="a" value="abc"><input id="b"><button>Send</button></form>`,
  );
  await page.run({ type: "press", key: "Control+a", target: { selector: "#a" } });
  await page.run({ type: "press", key: "Delete" });
  await page.run({ type: "press", key: "Tab" });
  const state = "[document.querySelector('#a').value, document.activeElement.id]";
  expect((await page.run({ type: "evaluate", code: state })).value).toEqual(["", "b"]);
  const { receipt } = await page.run({ type: "press", key: "Enter" });
  expect(receipt?.console).toEqual([{ level: "log", text: "sent" }]);
});

test("things are dragged by drag and drop, and by the pointer alone", async () => {
  const { page } = await stage.open(`
    <div id="card" draggable="true" ondragstart="event.dataTransfer.setData('text', 'card')" style="width:60px;height:30px">card</div>
    <div id="bin" ondragover="event.preventDefault()" ondrop="console.log('dropped', event.dataTransfer.getData('text'))" style="width:200px;height:80px">bin</div>
    <div id="knob" style="width:20px;height:20px;background:red" onpointerdown="this.setPointerCapture(event.pointerId); this.onpointermove = (move) => { window.last = move.clientX }" onpointerup="console.log('moved to', Math.round(window.last))">o</div>
    <div id="end" style="position:absolute;left:300px;top:300px;width:20px;height:20px">end</div>`);
  const dropped = await page.run({
    type: "drag",
    source: { selector: "#card" },
    target: { selector: "#bin" },
  });
  expect(dropped.receipt?.console).toEqual([{ level: "log", text: "dropped card" }]);
  const moved = await page.run({ type: "drag", source: { selector: "#knob" }, target: { selector: "#end" } });
  expect(moved.receipt?.console).toEqual([{ level: "log", text: "moved to 310" }]);
});

test("a drag enters what it passes once, and leaves it once", async () => {
  const { page } =
    await stage.open(`<style>body { margin: 0 } div { position: absolute; left: 0; width: 200px; height: 80px }</style>
    <div id="card" draggable="true" style="top:0" ondragstart="event.dataTransfer.setData('text', 'card')">card</div>
    <div id="a" style="top:100px">a</div><div id="b" style="top:200px" ondragover="event.preventDefault()">b</div>
    <script>for (const type of ["dragenter", "dragleave", "drop", "dragend"]) for (const each of [card, a, b])
      each.addEventListener(type, () => console.log(type, each.id));</script>`);
  const path = [20, 60, 110, 140, 170, 210, 240, 260].map((y) => ({ x: 50, y }));
  const { receipt } = await page.run({ type: "drag", path });
  const seen = receipt?.console?.map(({ text }) => text) ?? [];
  expect(seen.filter((line) => / [ab]$/.test(line))).toEqual([
    "dragenter a",
    "dragenter b",
    "dragleave a",
    "drop b",
  ]);
});

test("a drag ends within its target, even when that has to be scrolled to", async () => {
  const { page } = await stage.open(`
    <div id="card" draggable="true" ondragstart="event.dataTransfer.setData('text', 'card')" style="width:60px;height:30px">card</div>
    <div id="knob" style="width:20px;height:20px;touch-action:none" onpointerdown="this.setPointerCapture(event.pointerId)" onpointerup="console.log('at', Math.round(event.pageY))">o</div>
    <div style="height:3000px"></div>
    <div id="bin" ondragover="event.preventDefault()" ondrop="console.log('dropped', event.dataTransfer.getData('text'))" style="height:80px">bin</div>
    <div id="end" style="position:absolute;left:30px;top:2500px;width:20px;height:20px">end</div>`);
  const target = { selector: "#bin" };
  const dropped = await page.run({ type: "drag", source: { selector: "#card" }, target });
  expect(dropped.receipt?.console).toEqual([{ level: "log", text: "dropped card" }]);
  const end = { selector: "#end" };
  const moved = await page.run({ type: "drag", source: { selector: "#knob" }, target: end });
  expect(moved.receipt?.console).toEqual([{ level: "log", text: "at 2510" }]);
});

test("elements in frames of the same origin are clicked where they are", async () => {
  stage.answers.set(
    "/inner",
    `<body style="margin:40px"><button onclick="console.log('inner')">Inside</button>`,
  );
  const { page } = await stage.open(
    `<div style="height:90px"></div><iframe src="/inner" style="border:7px solid;padding:11px;width:300px;height:200px"></iframe>`,
  );
  await page.run({ type: "wait_for", target: { text: "Inside" } });
  const { receipt } = await page.run({ type: "click", target: { text: "Inside" } });
  expect(receipt?.console).toEqual([{ level: "log", text: "inner" }]);
});

test("a ref whose element is gone fails, and a wrong name suggests the nearest", async () => {
  const driven = await stage.open(`<button id="x">Sign in</button>`);
  const { page } = driven;
  const [item] = await itemsOf(driven);
  await page.run({ type: "evaluate", code: "document.querySelector('#x').remove()" });
  expect((await failure(page.run({ type: "click", target: { ref: item?.ref ?? "" } }))).code).toBe(
    "stale_ref",
  );
  await page.run({ type: "evaluate", code: "document.body.innerHTML = '<button>Sign in</button>'" });
  const error = await failure(page.run({ type: "click", target: { text: "Sing in" } }));
  expect(error.code).toBe("target_not_found");
  expect(error.message).toContain("Sign in");
});

test("code runs in the page's own world, once, whatever its content policy", async () => {
  stage.answers.set("/strict", {
    headers: { "content-security-policy": "default-src 'self'; script-src 'nonce-a'" },
    body: `<script nonce="a">window.calls = 0</script>strict`,
  });
  const { page } = await stage.open("");
  await page.run({ type: "navigate", url: stage.url("/strict") });
  const { value, result } = await page.run({
    type: "evaluate",
    code: "calls++; await 0; return { calls, map: new Map([['a', 1]]) }",
  });
  expect(value).toEqual({ calls: 1, map: { a: 1 } });
  expect(result).toContain('"calls":1');
  const error = await failure(page.run({ type: "evaluate", code: "throw new TypeError('no')" }));
  expect([error.code, error.message]).toEqual(["evaluation_failed", "TypeError: no"]);
});

test("no code runs unless the app allows it", async () => {
  const { page } = await stage.open("", { enableEval: false });
  expect((await failure(page.run({ type: "evaluate", code: "1" }))).code).toBe("eval_disabled");
});

test("dialogs are answered and reported, and the page continues", async () => {
  const { page } = await stage.open(
    `<button onclick="alert('hi'); console.log(confirm('sure?'), prompt('name?'))">Ask</button>`,
  );
  const { receipt } = await page.run({ type: "click", target: { text: "Ask" } });
  expect(receipt?.console?.map(({ text }) => text)).toEqual([
    "alert: hi",
    "confirm: sure?",
    "confirm: sure? answered Cancel by the bridge",
    "prompt: name?",
    "prompt: name? answered Cancel by the bridge",
    "false null",
  ]);
});

test("a click at a point is trusted, has a receipt and reports what was there", async () => {
  const { page } = await stage.open(`<style>body{margin:0}</style>
    <button style="position:absolute;left:100px;top:50px;width:80px;height:40px"
      onclick="console.log(event.isTrusted, event.clientX, event.clientY)">Save</button>
    <input style="position:absolute;left:100px;top:150px;width:200px;height:30px">`);
  const clicked = await page.run({ type: "click", target: { point: { x: 110, y: 60 } } });
  expect(clicked.value).toEqual({ at: { x: 110, y: 60 }, element: 'button "Save"' });
  expect(clicked.receipt?.console).toMatchObject([{ text: "true 110 60" }]);
  const inside = await page.run({ type: "click", target: { text: "Save", point: { x: 3, y: 4 } } });
  expect(inside.receipt?.console).toMatchObject([{ text: "true 103 54" }]);
  const typed = await page.run({ type: "type", target: { point: { x: 150, y: 165 } }, text: "hi" });
  expect(typed).toMatchObject({ applied: true, value: { value: "hi" } });
  const outside = await failure(page.run({ type: "click", target: { point: { x: -1, y: 5 } } }));
  expect(outside.code).toBe("not_actionable");
  expect(outside.message).toMatch(/viewport, which is \d+ x \d+/);
});

test("scrolling reports the new position", async () => {
  const { page } = await stage.open(`<div style="height:5000px">tall</div>`);
  const { value } = await page.run({ type: "scroll", y: 300 });
  expect(value).toEqual({ position: { x: 0, y: 300 }, moved: { x: 0, y: 300 } });
});
