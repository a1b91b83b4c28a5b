import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closedPort, gone, linesOf, processesAt, type Stage, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1>
<button id="add-83f2" onclick="cart.textContent = 'in the cart'; console.info('added')">Add to cart</button>
<button disabled id="off">Buy</button>
<label>Name <input id="name"></label>
<input id="fixed" aria-label="Fixed" value="old" oninput="this.value = 'old'">
<select id="size" aria-label="Size"><option>Small<option>Large</select>
<a id="help" href="#help" onmouseover="cart.textContent = 'hovered'">Help</a>
<p id="cart"></p><div style="height: 3000px"></div>
<script>document.onkeydown = (event) => { if (event.key === "F2") cart.textContent = "F2"; };</script>`;

async function shop(config = {}): Promise<Stage & { url: string }> {
  const url = await serve({ "/": PAGE, "/next": "<title>Next</title><h1>Next</h1>" });
  const on = stage(config);
  expect(await on.run(`<type>start</type><url>${url}/</url>`)).toMatchObject({ success: true });
  return { ...on, url };
}

const cart = async ({ run }: Stage): Promise<unknown> =>
  ((await run("<type>evaluate</type><code>cart.textContent</code>")).result as { value: unknown }).value;

describe("each action, when it works and when it does not [RUN-131]", () => {
  it("start opens the page, returns what it shows, and refuses what it cannot open", async () => {
    const { url, run } = await shop();
    const again = await run(`<type>start</type><url>${url}/next</url>`);
    expect(again).toMatchObject({
      success: true,
      result: { status: 200, title: "Next", url: `${url}/next` },
    });
    expect((again.result as { ui: string }).ui).toContain("untrusted data");
    const failed = await run(`<type>start</type><url>http://localhost:${await closedPort()}/</url>`);
    expect(failed).toMatchObject({ success: false, error: { code: "navigation_failed" } });
  });

  it("navigate opens the page or explains why not; an error page is shown with its status", async () => {
    const { url, run } = await shop();
    expect(await run(`<type>navigate</type><url>${url}/next</url>`)).toMatchObject({
      success: true,
      result: { title: "Next" },
    });
    const missing = await run(`<type>navigate</type><url>${url}/none</url>`);
    expect(missing).toMatchObject({ success: true, result: { status: 404 }, metrics: { networkErrors: 1 } });
    expect(linesOf(missing).join("\n")).toContain("the server answered 404");
    expect(
      await run(`<type>navigate</type><url>http://localhost:${await closedPort()}/</url>`),
    ).toMatchObject({
      success: false,
    });
  });

  it("click acts on what was meant, with a receipt, and on nothing else", async () => {
    const on = await shop();
    const { run } = on;
    const clicked = await run("<type>click</type><targets>Add to cart</targets>");
    expect(clicked).toMatchObject({
      success: true,
      receipt: { settled: true, console: [{ text: "added" }] },
    });
    expect(await cart(on)).toBe("in the cart");
    expect(await run("<type>click</type><targets>Check out now</targets>")).toMatchObject({
      success: false,
      error: { code: "target_not_found", details: { candidates: expect.any(Array) } },
    });
    const disabled = await run("<type>click</type><selector>#off</selector>");
    expect(disabled).toMatchObject({ success: false, error: { code: "not_actionable" } });
  });

  it("click that opens another page reports it", async () => {
    const { url, run } = await shop();
    await run("<type>evaluate</type><code>help.target = '_blank'; help.href = '/next'; 1</code>");
    const response = await run("<type>click</type><targets>Help</targets>");
    expect(response.success).toBe(true);
    const after = await run("<type>wait</type><ms>100</ms>");
    expect([...linesOf(response), ...linesOf(after)].join("\n")).toContain(
      `the page opened another page at ${url}/next`,
    );
  });

  it("click that opens a dialog or starts a download reports it", async () => {
    const { run } = await shop();
    await run("<type>evaluate</type><code>help.onclick = () => confirm('Sure?'); 1</code>");
    const asked = await run("<type>click</type><targets>Help</targets>");
    expect(linesOf(asked)).toContain("browser info console: confirm: Sure? answered Cancel by the bridge");
    await run(
      "<type>evaluate</type><code>help.onclick = null; help.download = 'list.html'; help.href = '/next'; 1</code>",
    );
    const loaded = await run("<type>click</type><targets>Help</targets>");
    const after = await run("<type>wait</type><ms>100</ms>");
    expect([...linesOf(loaded), ...linesOf(after)].join("\n")).toContain("started a download of list.html");
  });

  it("click never hits another element instead of a covered one, and scrolls to uncover it", async () => {
    const url = await serve({
      "/": `<!doctype html><title>-</title><button onclick="mark('copy')">Save a copy</button>
        <div style="position: relative; width: 100px"><button onclick="mark('save')">Save</button><div role="dialog" aria-label="Offer" style="position: absolute; inset: 0; background: red"></div></div>
        <div style="height: 2000px"></div><button id="end" onclick="mark('end')">End</button><div style="height: 2000px"></div>
        <header style="position: fixed; top: 0; left: 300px; right: 0; height: 100px; background: blue"></header>
        <script>end.style.marginLeft = "400px"; function mark(text) { document.title = text; }</script>`,
    });
    const { run } = stage();
    await run(`<type>start</type><url>${url}/</url>`);
    const covered = await run("<type>click</type><targets>Save</targets>");
    expect(covered).toMatchObject({ success: false, error: { code: "not_actionable" } });
    expect(covered.error?.message).toContain("covers it");
    await run("<type>evaluate</type><code>scrollTo(0, end.offsetTop - 20)</code>");
    expect(await run("<type>click</type><targets>End</targets>")).toMatchObject({ success: true });
    expect(await run("<type>evaluate</type><code>document.title</code>")).toMatchObject({
      result: { value: "end" },
    });
  });

  it("type stops typing after a failure", async () => {
    const url = await serve({
      "/": `<!doctype html><label>Slow <input id="slow" oninput="for (const end = Date.now() + 6000; this.value.length === 2 && Date.now() < end; );"></label>`,
    });
    const { run } = stage({ timeoutMs: 3_000 });
    await run(`<type>start</type><url>${url}/</url>`);
    const late = await run("<type>type</type><targets>Slow</targets><text>abcdefgh</text><delay>20</delay>");
    expect(late).toMatchObject({ success: false, error: { code: "timeout" } });
    const typed = "<type>evaluate</type><code>slow.value.length</code>";
    const { result } = await run(typed);
    await run("<type>wait</type><ms>400</ms>");
    expect((await run(typed)).result).toEqual(result);
    expect(result).not.toEqual({ value: 8 });
  });

  it("type writes, and fails when the app restores the old text", async () => {
    const { run } = await shop();
    const typed = await run("<type>type</type><targets>Name</targets><text>Ada &lt;3</text><delay>5</delay>");
    expect(typed).toMatchObject({
      success: true,
      receipt: { changed: [{ field: "value", after: "Ada <3" }] },
    });
    await run("<type>evaluate</type><code>document.activeElement.blur(); 1</code>");
    const lost = await run("<type>type</type><text>!</text>");
    expect(lost).toMatchObject({ success: false, error: { code: "target_not_found" } });
    expect(lost.error?.message).toContain("no element has the focus");
    expect(lost.next?.join()).not.toContain("candidates");
    await run("<type>click</type><targets>Name</targets>");
    expect(await run("<type>type</type><text>!</text>")).toMatchObject({
      success: true,
      result: { value: { value: "Ada <3!" } },
    });
    const refused = await run("<type>type</type><selector>#fixed</selector><text>new</text>");
    expect(refused).toMatchObject({ success: false, error: { code: "not_actionable" } });
    expect(refused.error?.message).toContain("restored the old value");
    expect(await run("<type>type</type><selector>#none</selector><text>x</text>")).toMatchObject({
      success: false,
    });
  });

  it("select chooses an existing option", async () => {
    const { run } = await shop();
    expect(await run("<type>select</type><selector>#size</selector><value>Large</value>")).toMatchObject({
      success: true,
    });
    const wrong = await run("<type>select</type><selector>#size</selector><value>Huge</value>");
    expect(wrong.success).toBe(false);
    expect(wrong.error?.message).toContain("Huge");
    const named = await run("<type>select</type><targets>Size</targets><value>Huge</value>");
    expect(named.error?.message).toBe('the list has no option "Huge"; it has "Small", "Large"');
  });

  it("press presses a key that exists", async () => {
    const on = await shop();
    expect(await on.run("<type>press</type><key>F2</key>")).toMatchObject({ success: true });
    expect(await cart(on)).toBe("F2");
    expect(await on.run("<type>press</type><key>Hyper+Foo</key>")).toMatchObject({ success: false });
  });

  it("hover points at an element, which must be named", async () => {
    const on = await shop();
    expect(await on.run("<type>hover</type><targets>Help</targets>")).toMatchObject({ success: true });
    expect(await cart(on)).toBe("hovered");
    expect(await on.run("<type>hover</type>")).toMatchObject({
      success: false,
      error: { code: "invalid_message" },
    });
  });

  it("scroll moves the page and returns by how much", async () => {
    const { run } = await shop();
    expect(await run("<type>scroll</type><amount>500</amount>")).toMatchObject({
      success: true,
      result: { moved: { x: 0, y: 500 } },
    });
    expect(await run("<type>scroll</type><direction>up</direction><amount>9000</amount>")).toMatchObject({
      result: { moved: { y: -500 }, position: { y: 0 } },
    });
    const atTop = await run("<type>scroll</type><direction>up</direction>");
    expect(atTop).toMatchObject({ result: { moved: { y: 0 } } });
    expect(linesOf(atTop).join()).toContain("did not scroll up");
    expect(await run("<type>scroll</type><selector>#none</selector>")).toMatchObject({ success: false });
  });

  it("wait waits for what appears, and fails for what does not", async () => {
    const { run } = await shop();
    await run(
      "<type>evaluate</type><code>setTimeout(() => { cart.textContent = 'Thank you'; }, 200); 1</code>",
    );
    expect(await run("<type>wait</type><text>Thank you</text><ms>5000</ms>")).toMatchObject({
      success: true,
    });
    expect(await run("<type>wait</type><targets>Add to cart</targets>")).toMatchObject({ success: true });
    expect(await run("<type>wait</type><ms>20</ms>")).toMatchObject({
      success: true,
      result: { waitedMs: 20 },
    });
    expect(await run("<type>wait</type><text>Never</text><ms>150</ms>")).toMatchObject({
      success: false,
      error: { code: "timeout" },
    });
    expect(await run("<type>wait</type><targets>Never ever</targets><ms>150</ms>")).toMatchObject({
      success: false,
    });
  });

  it("[ARC-032] evaluate returns a value, or the error that the code threw with a hint", async () => {
    const { run } = await shop();
    expect(await run("<type>evaluate</type><code>({ a: [1, document.title] })</code>")).toMatchObject({
      success: true,
      result: { value: { a: [1, "Shop"] } },
    });
    const thrown = await run("<type>evaluate</type><code>missing.thing</code>");
    expect(thrown).toMatchObject({
      success: false,
      error: { code: "evaluation_failed", details: { category: "javascript" } },
    });
    expect(thrown.error?.hint).toContain('"missing" is used before it exists');
  });

  it("stop closes the browser, and succeeds when none is running [RUN-027]", async () => {
    const { home, run } = await shop();
    expect(processesAt(home).length).toBeGreaterThan(0);
    expect(await run("<type>stop</type>")).toMatchObject({ success: true });
    await gone(home);
    expect(await run("<type>stop</type>")).toMatchObject({ success: true });
    const after = await run("<type>click</type><targets>Help</targets>");
    expect(after).toMatchObject({ success: false, error: { code: "session_not_found" } });
    expect(after.next?.[0]).toContain("<type>start</type>");
  });
});

describe("what never reaches a browser", () => {
  it("starts none and touches no page [RUN-022, RUN-006]", async () => {
    const { home, run } = stage();
    for (const xml of [
      "<type>start</type><url>localhost:3000</url>",
      "<type>navigate</type><url></url>",
      "<type>fly</type>",
      "junk",
    ]) {
      const response = await run(xml);
      expect(response.success).toBe(false);
      expect(response.error?.details?.corrected).toBeDefined();
      expect(response.networkEvents).toEqual([]);
    }
    expect(processesAt(home)).toEqual([]);
  });

  it("without Chrome on the machine gets the install steps [RUN-068]", async () => {
    const { home, run } = stage();
    const before = process.env.CHROME_PATH;
    process.env.CHROME_PATH = "/nowhere/chrome";
    try {
      const response = await run("<type>start</type><url>http://localhost:3000/</url>");
      expect(response).toMatchObject({ success: false, error: { code: "not_supported" } });
      expect(response.error?.message).toContain("apt install");
      expect(response.error?.hint).toContain("error.message");
      expect(response.next?.join()).not.toContain("diagnose");
    } finally {
      if (before === undefined) delete process.env.CHROME_PATH;
      else process.env.CHROME_PATH = before;
    }
    expect(processesAt(home)).toEqual([]);
  });

  it("when launching fails leaves no process behind, and returns Chrome's own error [RUN-059]", async () => {
    const { home, run } = stage();
    const chromePath = join(home, "chrome");
    writeFileSync(
      chromePath,
      "#!/bin/sh\necho 'cannot open shared object file: libnss3.so' >&2\nexit 127\n",
      {
        mode: 0o755,
      },
    );
    const response = await run("<type>start</type><url>http://localhost:3000/</url>", { chromePath });
    expect(response).toMatchObject({
      success: false,
      error: { code: "not_supported", details: { cause: "launch-failed" } },
    });
    expect(response.error?.message).toContain("libnss3.so");
    expect(processesAt(home)).toEqual([]);
  });
});
