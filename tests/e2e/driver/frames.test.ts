import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decode } from "jpeg-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { type Driven, DriverStage, failure, itemsOf } from "./stage.js";

const stage = new DriverStage();
/** A second port: another origin of the same site, which is in the same process. */
let neighbour: Server;

beforeAll(async () => {
  await stage.start();
  neighbour = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(PAY);
  });
  await new Promise<void>((resolve) => neighbour.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  neighbour.closeAllConnections();
  neighbour.close();
  await stage.stop();
});

const PAY = `<!doctype html><title>Pay</title><body style="margin:30px">
  <h2>Card</h2><label>Number <input id="n"></label>
  <button onclick="console.log('paid', n.value); fetch('/api/pay', { method: 'POST' }); done.textContent = 'Thank you';
    parent.postMessage('paid', '*')">Pay</button><p id="done"></p>
  <button onclick="throw new TypeError('frame broke')">Break</button>`;

const around = (src: string): string => `<h1>Shop</h1><div style="height:60px">before</div>
  <iframe title="Payment" src="${src}" style="border:5px solid;padding:7px;width:500px;height:300px"></iframe>
  <p id="state">open</p><button>After</button>
  <script>onmessage = () => { state.innerHTML = '<button>Receipt</button>' }</script>`;

/** The same page from another site: in another process. */
const otherSite = (path: string): string => stage.url(path).replace("127.0.0.1", "localhost");

const KINDS = {
  "another site": () => otherSite("/pay"),
  "another origin of the same site": () =>
    `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/pay`,
};

async function openWith(src: string): Promise<Driven> {
  stage.answers.set("/pay", PAY);
  stage.answers.set("/api/pay", { type: "application/json", body: "{}" });
  const driven = await stage.open(around(src));
  await driven.page.run({ type: "wait_for", text: "Card" });
  return driven;
}

const look = async ({ page }: Driven, more: object = {}): Promise<string> =>
  (await page.run({ type: "request_ui_tree", format: "text", ...more })).result ?? "";

describe.each(Object.entries(KINDS))("a frame of %s", (kind, src) => {
  test(`is in the view where it is, with refs that name it (${kind})`, async () => {
    const driven = await openWith(src());
    const text = await look(driven);
    const [frame, heading, ...rest] = text.slice(text.indexOf("frame f1")).split("\n");
    expect(frame).toBe(`frame f1 "${src()}"`);
    expect(heading).toBe("  ## Card");
    expect(rest.join("\n")).toMatch(/^ {2}f1e\d+ textbox "Number"\n {2}f1e\d+ button "Pay"\n/);
    expect(rest.join("\n")).toMatch(/\nopen\ne\d+ button "After"/);
    const items = await itemsOf(driven);
    expect(items.map(({ name, text: own }) => name ?? own)).toEqual(expect.arrayContaining(["After", "Pay"]));
    expect(await look(driven, { target: { ref: "f1" } })).toMatch(/^## Card\n/);
  });

  test(`is typed into and clicked, and receipts report all frames (${kind})`, async () => {
    const driven = await openWith(src());
    const { page, records } = driven;
    const ref = /(f1e\d+) textbox/.exec(await look(driven))?.[1] ?? "";
    const typed = await page.run({ type: "type", target: { ref }, text: "4242" });
    expect(typed).toMatchObject({ applied: true, value: { value: "4242" } });
    const { receipt } = await page.run({ type: "click", target: { role: "button", name: "Pay" } });
    expect(receipt).toMatchObject({
      settled: true,
      appeared: [{ role: "button", name: "Receipt" }],
      console: [{ level: "log", text: "paid 4242" }],
      requests: [{ method: "POST", status: 200 }],
    });
    await page.run({ type: "click", target: { text: "Break" } });
    await until(() => records.some((each) => each.type === "error" && each.message?.includes("frame broke")));
    expect(await look(driven)).toContain("Thank you");
  });

  test(`is part of what changed since a look (${kind})`, async () => {
    const driven = await openWith(src());
    const first = await driven.page.run({ type: "request_ui_tree", format: "text" });
    const { version: since } = first.value as { version: number };
    await driven.page.run({ type: "type", target: { role: "textbox", name: "Number" }, text: "77" });
    expect(await look(driven, { since })).toMatch(/^frame f1 changed:\n~ f1e\d+ textbox "Number" value "77"/);
  });
});

test("frames at any depth are entered, and what covers a frame is noticed", async () => {
  stage.answers.set("/pay", PAY);
  stage.answers.set("/api/pay", { type: "application/json", body: "{}" });
  stage.answers.set(
    "/middle",
    `<h2>Middle</h2><iframe src="${stage.url("/pay")}" style="width:400px;height:250px"></iframe>`,
  );
  const driven = await stage.open(
    `<h1>Top</h1><div style="height:900px">tall</div><iframe src="${otherSite("/middle")}" style="width:500px;height:350px"></iframe>
     <button onclick="document.body.insertAdjacentHTML('beforeend', '<div style=\\'position:fixed;inset:0;background:#fff\\'>Wall</div>')">Cover</button>`,
  );
  const { page } = driven;
  await page.run({ type: "wait_for", text: "Card" });
  const text = await look(driven);
  expect(text).toMatch(/frame f\d "[^"]*\/middle"\n {2}## Middle\n {2}frame f\d "[^"]*\/pay"\n {4}## Card/);
  const { receipt } = await page.run({ type: "click", target: { text: "Pay" } });
  expect(receipt?.console).toMatchObject([{ text: expect.stringContaining("paid") }]);
  await page.run({ type: "click", target: { text: "Cover" } });
  const covered = await failure(page.run({ type: "click", target: { text: "Pay" } }));
  expect(covered.code).toBe("not_actionable");
});

test("what is in two frames is ambiguous, and refs of a frame that is gone are stale", async () => {
  const driven = await openWith(otherSite("/pay"));
  const { page } = driven;
  await page.run({
    type: "evaluate",
    code: "document.body.insertAdjacentHTML('beforeend', '<button>Pay</button>')",
  });
  const twice = await failure(page.run({ type: "click", target: { text: "Pay" } }));
  expect([twice.code, twice.message]).toEqual(["ambiguous_target", expect.stringContaining("the frame f1")]);
  const ref = /(f1e\d+) button "Pay"/.exec(await look(driven))?.[1] ?? "";
  await page.run({ type: "evaluate", code: "document.querySelector('iframe').remove()" });
  await until(async () => (await failure(page.run({ type: "click", target: { ref } }))).code === "stale_ref");
});

test("a frame that loads another document is followed", async () => {
  stage.answers.set("/pay", PAY);
  stage.answers.set("/start", `<a href="/pay">Go on</a>`);
  const driven = await stage.open(around(otherSite("/start")));
  await driven.page.run({ type: "wait_for", text: "Go on" });
  const { receipt } = await driven.page.run({ type: "click", target: { text: "Go on" } });
  expect(receipt?.settled).toBe(true);
  // The browser may ask for the page's icon meanwhile.
  expect(receipt?.requests).toContainEqual(expect.objectContaining({ url: otherSite("/pay"), status: 200 }));
  expect(await look(driven)).toContain("## Card");
});

test("a drag between frames needs a path of points, and says so", async () => {
  stage.answers.set(
    "/bin",
    `<body style="margin:0"><div id="bin" style="height:100px" ondragover="event.preventDefault()"
      ondrop="console.log('dropped', event.dataTransfer.getData('text'))">Bin</div>`,
  );
  const driven = await stage.open(`<style>body { margin: 0 }</style>
    <div id="card" draggable="true" ondragstart="event.dataTransfer.setData('text', 'card')" style="width:100px;height:50px">Card</div>
    <iframe src="${otherSite("/bin")}" style="position:absolute;left:0;top:100px;border:0;width:300px;height:120px"></iframe>`);
  const { page } = driven;
  await page.run({ type: "wait_for", text: "Bin" });
  const [source, target] = [{ selector: "#card" }, { selector: "#bin" }];
  const refused = await failure(page.run({ type: "drag", source, target }));
  expect(refused.code).toBe("not_supported");
  expect(refused.message).toMatch(/in different frames; drag along a path of points .*Nothing was done/);
  const path = [
    { x: 50, y: 25 },
    { x: 60, y: 60 },
    { x: 100, y: 150 },
  ];
  const { receipt } = await page.run({ type: "drag", path });
  expect(receipt?.console).toMatchObject([{ text: "dropped card" }]);
});

test("an element in a frame of another site has its own screenshot, wherever the frame is", async () => {
  const colour = "rgb(10, 200, 30)";
  stage.answers.set(
    "/swatch",
    `<body style="margin:0;background:white"><div style="height:700px">above</div>
     <div id="swatch" role="img" aria-label="Swatch" style="width:120px;height:60px;background:${colour}"></div>
     <div style="height:700px">below</div>`,
  );
  const driven = await stage.open(`<div style="height:1500px">tall</div>
    <iframe src="${otherSite("/swatch")}" style="border:9px solid red;padding:5px;width:300px;height:200px"></iframe><div style="height:900px"></div>`);
  await driven.page.run({ type: "wait_for", target: { selector: "#swatch" }, state: "attached" });
  const { value } = await driven.page.run({
    type: "screenshot",
    target: { selector: "#swatch" },
    quality: 100,
  });
  const { data: pixels, width, height } = decode(Buffer.from((value as { data: string }).data, "base64"));
  expect([width, height]).toEqual([120, 60]);
  for (const [x, y] of [
    [2, 2],
    [60, 30],
    [117, 57],
  ] as const) {
    const at = (y * width + x) * 4;
    const near = [10, 200, 30].map((wanted, i) => Math.abs((pixels[at + i] ?? 0) - wanted) < 12);
    expect(near, `pixel ${x}, ${y}`).toEqual([true, true, true]);
  }
});
