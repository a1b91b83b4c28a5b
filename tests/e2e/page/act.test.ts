import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** Records the events that reach an element, in `window.seen`. */
const RECORD = `<script>window.seen = []; window.record = (el, ...types) => types.forEach((t) => el.addEventListener(t, (e) => seen.push(t + (e.key ? ":" + e.key : ""))));</script>`;
const seen = "window.seen.join(' ')";

describe("targets", () => {
  test("[APP-031] [APP-066] [ARC-014] [ARC-015] selector first, then id, text, role and name, ref", async () => {
    const page =
      await browser.open(`<button class="x" onclick="document.title='first'">One</button><button class="x" onclick="document.title='second'" data-testid="two">Two</button>
      <a href="#t" onclick="document.title='third'">Three</a>`);
    const click = async (target: object): Promise<string> => {
      expect(await page.run({ type: "click", target: target as { text: string } })).toMatchObject({
        ok: true,
      });
      return page.page.title();
    };
    expect(await click({ selector: ".x" })).toBe("first");
    expect(await click({ id: "two" })).toBe("second");
    expect(await click({ text: "One" })).toBe("first");
    expect(await click({ role: "link", name: "Three" })).toBe("third");
    expect(await click({ selector: ".x", id: "two", text: "Three" })).toBe("first");
    expect(await click({ id: "nope", text: "One" })).toBe("first");
    expect(await click({ id: "nope", role: "link", name: "Three" })).toBe("third");
    expect(await click({ role: "button", text: "Two" })).toBe("second");
    const { ref } = await page.item(({ text }) => text === "Two");
    expect(await click({ ref })).toBe("second");
    const generated = await page.item(({ text }) => text === "Three");
    expect(await click({ id: generated.id })).toBe("third");
  });

  test("a link for a new tab, which browsers open only for a person, is reported, unless the app handles it", async () => {
    const page = await browser.open(`<a href="/x" target="_blank">Terms</a>
      <a href="/y" target="_blank" onclick="event.preventDefault(); document.title = 'shown'">Privacy</a>`);
    const terms = await page.run({ type: "click", target: { text: "Terms" } });
    expect(terms).toMatchObject({ ok: true, message: expect.stringContaining("cannot open tabs") });
    expect(page.page.context().pages()).toHaveLength(1);
    const privacy = await page.run({ type: "click", target: { text: "Privacy" } });
    expect(privacy.message).toBeUndefined();
    expect(await page.page.title()).toBe("shown");
  });

  test("landmarks that the outline shows are targets by their role", async () => {
    const page = await browser.open(`<main onclick="document.title='main'"><p>Text</p></main>
      <section aria-label="Cart" onclick="document.title='cart'">Empty</section><section aria-label="News">None</section>`);
    expect(await page.run({ type: "click", target: { role: "main" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("main");
    const cart = { role: "region", name: "Cart" };
    expect(await page.run({ type: "click", target: cart })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("cart");
    expect(await page.run({ type: "click", target: { role: "region" } })).toMatchObject({
      code: "ambiguous_target",
    });
    expect(await page.run({ type: "click", target: { role: "navigation" } })).toMatchObject({
      code: "target_not_found",
    });
  });

  test("[APP-058] [APP-068] a target without a match is not found, with suggestions", async () => {
    const page = await browser.open(`<button>Sign in</button><button>Help</button>`);
    const answer = await page.run({ type: "click", target: { text: "Sing in" } });
    expect(answer).toMatchObject({ ok: false, code: "target_not_found" });
    expect(answer.message).toContain('"Sign in" (button e1)');
    expect(answer.details?.candidates?.[0]).toMatchObject({ ref: "e1", text: "Sign in" });
    expect(await page.run({ type: "click", target: { text: "Sign" } })).toMatchObject({
      code: "target_not_found",
    });
    expect(await page.run({ type: "click", target: { selector: "((" } })).toMatchObject({
      code: "invalid_message",
    });
  });

  test("[ARC-047] two equal matches are ambiguous, and nothing is clicked", async () => {
    const page =
      await browser.open(`<h2>A</h2><button onclick="document.title='a'">Delete</button><h2>B</h2><button onclick="document.title='b'">Delete</button>
      <button style="display:none">Only</button><button onclick="document.title='only'">Only</button>`);
    const answer = await page.run({ type: "click", target: { text: "Delete" } });
    expect(answer).toMatchObject({ ok: false, code: "ambiguous_target" });
    expect(answer.details?.candidates).toHaveLength(2);
    expect(await page.page.title()).toBe("Test");
    expect(await page.run({ type: "click", target: { role: "button", name: "Only" } })).toMatchObject({
      ok: true,
    });
    expect(await page.page.title()).toBe("only");
  });

  test("[ARC-045] [ARC-046] a ref fails closed when its element left or changed", async () => {
    const page = await browser.open(
      `<div id="box"><button onclick="document.title='clicked'">Save</button></div><button>Save all</button>`,
    );
    const { ref = "" } = await page.item(({ text }) => text === "Save");
    await page.page.evaluate(() => document.body.prepend(document.createElement("hr")));
    expect(await page.run({ type: "click", target: { ref } })).toMatchObject({ ok: true });
    await page.page.evaluate(() => {
      document.title = "";
      (document.querySelector("#box button") as Element).textContent = "Delete";
    });
    const changed = await page.run({ type: "click", target: { ref } });
    expect(changed).toMatchObject({
      ok: false,
      code: "stale_ref",
      message: expect.stringContaining('it is now the button "Delete"'),
    });
    expect(changed.details?.candidates?.map(({ text }) => text)).toEqual(["Delete", "Save all"]);
    await page.page.evaluate(() => {
      (document.querySelector("#box") as Element).innerHTML = "<button>Save</button>";
    });
    const left = await page.run({ type: "click", target: { ref } });
    expect(left).toMatchObject({
      ok: false,
      code: "stale_ref",
      message: expect.stringContaining("left the page"),
    });
    expect(left.details?.candidates?.[0]?.text).toBe("Save");
    expect(await page.page.title()).toBe("");
    expect(await page.run({ type: "click", target: { ref: "e999" } })).toMatchObject({ code: "stale_ref" });
  });
});

describe("clicking", () => {
  test("[APP-059] runs the handlers in the order of a real click, with focus", async () => {
    const page = await browser.open(
      `${RECORD}<button id="b"><span>Go</span></button><script>record(b, "pointerover", "pointerenter", "pointerdown", "mousedown", "focus", "pointerup", "mouseup", "click", "dblclick")</script>`,
    );
    await page.run({ type: "click", target: { text: "Go" } });
    expect(await page.page.evaluate(seen)).toBe(
      "pointerover pointerenter pointerdown mousedown focus pointerup mouseup click",
    );
    await page.run({ type: "click", target: { text: "Go" }, clickCount: 2 });
    expect(await page.page.evaluate(seen)).toMatch(/click pointerdown .* click dblclick$/);
  });

  test("[ARC-035] a disabled element is refused with the reason, and nothing fires", async () => {
    const page =
      await browser.open(`${RECORD}<button id="b" disabled>Off</button><fieldset disabled><button id="c">In set</button></fieldset><div id="d" role="button" aria-disabled="true">Aria</div>
      <script>for (const e of [b, c, d]) record(e, "click", "mousedown", "pointerdown")</script>`);
    for (const [text, why] of [
      ["Off", "it is disabled"],
      ["In set", "fieldset"],
      ["Aria", "aria-disabled"],
    ] as const) {
      const answer = await page.run({ type: "click", target: { text } });
      expect(answer).toMatchObject({ ok: false, code: "not_actionable" });
      expect(answer.message).toContain(why);
    }
    expect(await page.page.evaluate(seen)).toBe("");
  });

  test("a covered element is refused with what covers it; one out of view is scrolled to", async () => {
    const page =
      await browser.open(`<div style="position:relative"><button onclick="document.title='x'">Under</button><div id="veil" style="position:absolute;inset:0"></div></div>
      <div style="height:2500px"></div><button onclick="document.title='far'">Far</button>`);
    const answer = await page.run({ type: "click", target: { text: "Under" } });
    expect(answer).toMatchObject({ ok: false, code: "not_actionable" });
    expect(answer.message).toContain("#veil");
    expect(await page.run({ type: "click", target: { text: "Far" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("far");
  });

  test("a checkbox that is drawn by its label is toggled through it", async () => {
    const page = await browser.open(
      `<style>.sr { position: absolute; opacity: 0; width: 0; height: 0 }</style><label><input class="sr" type="checkbox" id="c"> Agree</label>`,
    );
    expect(await page.run({ type: "click", target: { role: "checkbox", name: "Agree" } })).toMatchObject({
      ok: true,
    });
    expect(await page.page.isChecked("#c")).toBe(true);
  });
});

describe("typing", () => {
  test("[APP-032] [APP-060…APP-062] focuses, appends, clears, and fires input events that bubble", async () => {
    const page = await browser.open(
      `${RECORD}<form id="f"><input id="i" value="ab" maxlength="8"></form><script>record(f, "input", "change", "keydown"); record(i, "focus")</script>`,
    );
    expect(await page.run({ type: "type", target: { selector: "#i" }, text: "cd" })).toMatchObject({
      ok: true,
      applied: true,
      value: { value: "abcd" },
    });
    expect(await page.page.evaluate(seen)).toBe("focus keydown:c input keydown:d input change");
    expect(
      await page.run({ type: "type", target: { selector: "#i" }, text: "new", clear: true }),
    ).toMatchObject({ applied: true, value: { value: "new" } });
    expect(await page.run({ type: "type", target: { selector: "#i" }, text: "0123456789" })).toMatchObject({
      value: { value: "new01234" },
      message: expect.stringContaining("new01234"),
    });
  });

  test("works in text areas, numbers, dates, and editable elements", async () => {
    const page = await browser.open(
      `<textarea id="t"></textarea><input id="n" type="number"><input id="d" type="date"><div id="e" contenteditable>Hi</div><input id="m" type="email">`,
    );
    for (const [selector, text, value] of [
      ["#t", "two\nlines", "two\nlines"],
      ["#n", "42", "42"],
      ["#d", "2026-05-04", "2026-05-04"],
      ["#e", " there", "Hi there"],
      ["#m", "a@b.c", "a@b.c"],
    ] as const) {
      expect(await page.run({ type: "type", target: { selector }, text }), selector).toMatchObject({
        ok: true,
        applied: true,
        value: { value },
      });
    }
    const long = "long text ".repeat(200);
    expect(
      await page.run({ type: "type", target: { selector: "#t" }, text: long, clear: true }),
    ).toMatchObject({ applied: true });
    expect(await page.page.inputValue("#t")).toBe(long);
  });

  test("a field that does not accept text is refused with the command to use", async () => {
    const page = await browser.open(
      `<input id="c" type="checkbox"><select id="s"></select><input id="r" readonly><button id="b">B</button><input id="d" disabled>`,
    );
    for (const [selector, why] of [
      ["#c", "use click"],
      ["#s", "use select"],
      ["#r", "read-only"],
      ["#b", "does not accept text"],
      ["#d", "disabled"],
    ] as const) {
      const answer = await page.run({ type: "type", target: { selector }, text: "x" });
      expect(answer, selector).toMatchObject({ ok: false, code: "not_actionable" });
      expect(answer.message, selector).toContain(why);
    }
  });

  test("submit presses Enter, which sends the form as a browser does", async () => {
    const page = await browser.open(
      `<form onsubmit="event.preventDefault(); document.title = new FormData(this).get('q')"><input name="q"><button>Go</button></form>`,
    );
    expect(
      await page.run({ type: "type", target: { selector: "[name=q]" }, text: "find", submit: true }),
    ).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("find");
  });
});

describe("keys, lists, pointer", () => {
  test("[ARC-016] press sends keys and combinations, with what browsers do by default", async () => {
    const page = await browser.open(
      `${RECORD}<input id="a" value="abc"><input id="b"><button id="c" onclick="document.title='by key'">C</button><script>record(document, "keydown", "keyup")</script>`,
    );
    await page.run({ type: "press", key: "Control+Shift+k", target: { selector: "#a" } });
    expect(await page.page.evaluate(seen)).toBe("keydown:K keyup:K");
    await page.run({ type: "press", key: "Backspace", target: { selector: "#a" } });
    expect(await page.page.inputValue("#a")).toBe("ab");
    await page.run({ type: "press", key: "Tab" });
    expect(await page.page.evaluate("document.activeElement.id")).toBe("b");
    await page.run({ type: "press", key: "x" });
    expect(await page.page.inputValue("#b")).toBe("x");
    await page.run({ type: "press", key: "Enter", target: { selector: "#c" } });
    expect(await page.page.title()).toBe("by key");
    expect(await page.run({ type: "press", key: "Hyper+x" })).toMatchObject({ code: "invalid_message" });
  });

  test("[ARC-017] select chooses one or several by value or label, and lists the options on failure", async () => {
    const page =
      await browser.open(`<select id="s"><option value="1">One</option><option value="2">Two</option><option disabled>Three</option></select>
      <select id="m" multiple><option>A</option><option>B</option><option>C</option></select>`);
    expect(await page.run({ type: "select", target: { selector: "#s" }, values: ["Two"] })).toMatchObject({
      ok: true,
      applied: true,
      value: { values: ["2"] },
    });
    expect(await page.page.inputValue("#s")).toBe("2");
    expect(await page.run({ type: "select", target: { selector: "#m" }, values: ["A", "C"] })).toMatchObject({
      value: { values: ["A", "C"] },
    });
    const missing = await page.run({ type: "select", target: { selector: "#s" }, values: ["Four"] });
    expect(missing).toMatchObject({ ok: false, code: "target_not_found" });
    expect(missing.message).toContain('"One", "Two", "Three"');
    expect(await page.run({ type: "select", target: { selector: "#s" }, values: ["Three"] })).toMatchObject({
      code: "not_actionable",
    });
  });

  test("[ARC-018…ARC-020] hover, scroll and drag", async () => {
    const page = await browser.open(`<style>#z { height: 60px; width: 200px; border: 1px solid }</style>
      <button id="h" onmouseenter="document.title='over'">H</button>
      <div id="src" draggable="true" ondragstart="event.dataTransfer.setData('text', 'card')">Card</div>
      <div id="z" tabindex="0" ondragover="event.preventDefault()" ondrop="this.textContent = event.dataTransfer.getData('text')">Zone</div>
      <div id="box" tabindex="0" style="height:80px;overflow:auto"><div style="height:900px">tall</div></div><div style="height:3000px"></div><button id="end">End</button>`);
    await page.run({ type: "hover", target: { selector: "#h" } });
    expect(await page.page.title()).toBe("over");
    expect(
      await page.run({ type: "drag", source: { selector: "#src" }, target: { selector: "#z" } }),
    ).toMatchObject({ ok: true });
    expect(await page.page.textContent("#z")).toBe("card");
    await page.run({ type: "scroll", target: { selector: "#box" }, y: 200 });
    expect(await page.page.evaluate("box.scrollTop")).toBe(200);
    await page.run({ type: "scroll", to: "bottom" });
    expect(await page.page.evaluate("scrollY > 2000")).toBe(true);
    await page.run({ type: "scroll", target: { selector: "#h" } });
    expect(await page.page.evaluate("scrollY")).toBe(0);
  });
});

describe("evaluating", () => {
  test("[APP-034] [APP-064] [APP-065] expressions, statements and async code run exactly once", async () => {
    const page = await browser.open("");
    const run = (code: string) => page.run({ type: "evaluate", code });
    expect(await run("1 + 1")).toMatchObject({ ok: true, result: "2", value: 2 });
    expect(await run("'text'")).toMatchObject({ result: "text" });
    expect(await run("const a = 2; a * 3")).toMatchObject({ result: "6" });
    expect(await run("const a = 2; return a * 4")).toMatchObject({ result: "8" });
    expect(await run("await new Promise((r) => setTimeout(() => r({ a: [1] }), 20))")).toMatchObject({
      value: { a: [1] },
      result: '{"a":[1]}',
    });
    expect(await run("{ a: 1, b: 2 }")).toMatchObject({ value: { a: 1, b: 2 } });
    expect(await run("const o = {}; o.o = o; o")).toMatchObject({ value: { o: "[Circular]" } });
    expect(await run("document.body")).toMatchObject({ result: "<body></body>" });
    await run("window.n = (window.n ?? 0) + 1; throw new Error('after effect')");
    expect(await run("n")).toMatchObject({ result: "1" });
    expect(await run("throw new TypeError('bad')")).toMatchObject({
      ok: false,
      code: "evaluation_failed",
      message: "TypeError: bad",
    });
    expect(await run("throw undefined")).toMatchObject({ ok: false, message: "unknown_error" });
    expect(await run("1 +")).toMatchObject({ ok: false, code: "evaluation_failed" });
    expect(await page.run({ type: "evaluate", code: "new Promise(() => {})", timeoutMs: 50 })).toMatchObject({
      code: "timeout",
    });
  });

  test("[APP-049] [APP-063] is off unless the app allows it", async () => {
    const page = await browser.open("", { enableEval: false });
    expect(await page.run({ type: "evaluate", code: "document.title = 'x'" })).toMatchObject({
      ok: false,
      code: "eval_disabled",
    });
    expect(await page.page.title()).toBe("Test");
  });
});

test("[ARC-021] wait_for answers when its condition holds and fails on its timeout", async () => {
  const page = await browser.open(
    `<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button>Late</button>"), 200)</script>`,
  );
  expect(await page.run({ type: "wait_for", target: { text: "Late" } })).toMatchObject({ ok: true });
  expect(await page.run({ type: "wait_for", text: "Never", maxMs: 100 })).toMatchObject({
    ok: false,
    code: "timeout",
    message: expect.stringContaining('"Never" is not on the page'),
  });
  await page.page.evaluate(() => setTimeout(() => document.querySelector("button")?.remove(), 100));
  expect(await page.run({ type: "wait_for", target: { text: "Late" }, state: "detached" })).toMatchObject({
    ok: true,
  });
  expect(await page.run({ type: "wait_for", idle: true })).toMatchObject({ ok: true });
});

test("screenshots are not supported in a page, and the answer suggests an alternative", async () => {
  const page = await browser.open("");
  expect(await page.run({ type: "screenshot" })).toMatchObject({
    ok: false,
    code: "not_supported",
    message: expect.stringContaining("Use observe"),
  });
});
