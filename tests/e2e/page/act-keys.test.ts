import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** Records the events that reach the page, in `window.seen`. */
const RECORD = `<script>window.seen = []; window.record = (...types) => types.forEach((t) => document.addEventListener(t, (e) => seen.push(t + (e.inputType ? ":" + e.inputType : "") + (e.data ? ":" + e.data : "")), true));</script>`;
const seen = "window.seen.splice(0).join(' ')";

describe("typing into fields without a caret", () => {
  test("numbers are entered as they were typed, including signs and fractions", async () => {
    const page = await browser.open(
      `<input id="a" type="number" step="any"><input id="b" type="number" value="3"><input id="c" type="number" max="5" oninput="if (this.value > 5) this.value = 5">`,
    );
    const type = (selector: string, text: string, clear = false) =>
      page.run({ type: "type", target: { selector }, text, clear });
    for (const text of ["-5", "1.5", "-0.25", "1e3"]) {
      const answer = await type("#a", text, true);
      expect(answer, text).toMatchObject({ ok: true, applied: true, value: { value: text } });
      expect(answer.message, text).toBeUndefined();
    }
    expect(await type("#b", "4")).toMatchObject({ value: { value: "34" } });
    expect(await type("#b", "-7", true)).toMatchObject({ value: { value: "-7" } });
    expect(await type("#c", "9")).toMatchObject({
      message: expect.stringContaining("the app changed the text"),
    });
  });

  test("a value of the wrong form is refused with the form, before anything is done", async () => {
    const page =
      await browser.open(`<input id="date" type="date" value="2024-01-01"><input id="time" type="time"><input id="color" type="color" value="#ff0000">
      <input id="n" type="number"><input id="w" type="week"><input id="m" type="month"><input id="l" type="datetime-local"><input id="r" type="range" min="0" max="10" value="5">`);
    for (const [selector, text, form] of [
      ["#date", "12/31/2025", "YYYY-MM-DD"],
      ["#time", "9:30", "HH:MM"],
      ["#color", "red", "#rrggbb"],
      ["#n", "abc", "a number"],
      ["#w", "19", "YYYY-Www"],
      ["#m", "May", "YYYY-MM"],
      ["#l", "2026-05-04", "YYYY-MM-DDTHH:MM"],
      ["#r", "much", "a number"],
    ] as const) {
      const answer = await page.run({ type: "type", target: { selector }, text });
      expect(answer, selector).toMatchObject({ ok: false, code: "invalid_message" });
      expect(answer.message, selector).toContain(form);
    }
    expect(await page.page.inputValue("#date")).toBe("2024-01-01");
    expect(await page.run({ type: "type", target: { selector: "#color" }, text: "#00FF00" })).toMatchObject({
      applied: true,
    });
    const clamped = await page.run({ type: "type", target: { selector: "#r" }, text: "99" });
    expect(clamped).toMatchObject({ applied: true, value: { value: "10" } });
    expect(clamped.message).toContain("the field's own limits");
  });
});

describe("events that apps get while typing", () => {
  test("beforeinput comes before the text, and may prevent it", async () => {
    const page = await browser.open(
      `${RECORD}<input id="a"><input id="d" onbeforeinput="if (/\\D/.test(event.data ?? '')) event.preventDefault()"><div id="e" contenteditable></div><script>record("beforeinput", "input")</script>`,
    );
    await page.run({ type: "type", target: { selector: "#a" }, text: "xy" });
    expect(await page.page.evaluate(seen)).toBe(
      "beforeinput:insertText:x input:insertText:x beforeinput:insertText:y input:insertText:y",
    );
    await page.run({ type: "press", key: "Backspace", target: { selector: "#a" } });
    expect(await page.page.evaluate(seen)).toBe(
      "beforeinput:deleteContentBackward input:deleteContentBackward",
    );
    expect(await page.run({ type: "type", target: { selector: "#d" }, text: "a1b2" })).toMatchObject({
      value: { value: "12" },
    });
    await page.page.evaluate(seen);
    await page.run({ type: "type", target: { selector: "#e" }, text: "l\nm" });
    expect(await page.page.evaluate("e.innerText")).toBe("l\nm");
    expect(await page.page.evaluate(seen)).toContain("beforeinput:insertParagraph input:insertParagraph");
  });

  test("a line break in a field of one line is Enter", async () => {
    const page = await browser.open(
      `<form onsubmit="event.preventDefault(); document.title = 'sent ' + q.value; q.value = ''"><input id="q"><button>Go</button></form><input id="tag" onkeydown="if (event.key === 'Enter') { document.title += ' tag:' + this.value; this.value = ''; }">`,
    );
    expect(await page.run({ type: "type", target: { selector: "#q" }, text: "find\n" })).toMatchObject({
      ok: true,
      applied: true,
    });
    await page.run({ type: "type", target: { selector: "#tag" }, text: "a\nb\r\n" });
    expect(await page.page.title()).toBe("sent find tag:a tag:b");
  });
});

describe("what browsers do with keys", () => {
  test("[ARC-016] arrow keys select and count in their direction", async () => {
    const page = await browser.open(
      `<input id="n" type="number" value="5"><input id="r" type="range" value="5" max="10"><input type="radio" name="g" id="g1" checked><input type="radio" name="g" id="g2"><select id="s"><option>a<option disabled>b<option>c</select>`,
    );
    const valueAfter = async (selector: string, key: string): Promise<string> => {
      const answer = await page.run({ type: "press", key, target: { selector } });
      expect(answer, `${selector} ${key}`).toMatchObject({ ok: true });
      expect(answer.message, `${selector} ${key}`).toBeUndefined();
      return page.page.inputValue(selector);
    };
    expect(await valueAfter("#n", "ArrowUp")).toBe("6");
    expect(await valueAfter("#n", "ArrowDown")).toBe("5");
    expect(await valueAfter("#r", "ArrowUp")).toBe("6");
    expect(await valueAfter("#r", "ArrowLeft")).toBe("5");
    expect(await valueAfter("#r", "ArrowRight")).toBe("6");
    expect(await valueAfter("#r", "End")).toBe("10");
    expect(await valueAfter("#s", "ArrowDown")).toBe("c");
    expect(await valueAfter("#s", "Home")).toBe("a");
    await page.run({ type: "press", key: "ArrowRight", target: { selector: "#g1" } });
    expect(await page.page.isChecked("#g2")).toBe(true);
    await page.run({ type: "press", key: "ArrowLeft" });
    expect(await page.page.isChecked("#g1")).toBe(true);
  });

  test("[ARC-016] the caret moves, in fields and in editable elements", async () => {
    const page = await browser.open(
      `<input id="a" value="hello"><textarea id="t">one\ntwo</textarea><div id="e" contenteditable>rich</div>`,
    );
    const press = (key: string, selector?: string) =>
      page.run({ type: "press", key, ...(selector ? { target: { selector } } : {}) });
    await press("ArrowLeft", "#a");
    await press("x");
    expect(await page.page.inputValue("#a")).toBe("hellxo");
    await press("Home");
    await press("Shift+End");
    await press("Y");
    expect(await page.page.inputValue("#a")).toBe("Y");
    await press("Home", "#t");
    await press(">");
    expect(await page.page.inputValue("#t")).toBe("one\n>two");
    await press("ArrowUp");
    await press("Home");
    await press("-");
    expect(await page.page.inputValue("#t")).toBe("-one\n>two");
    await press("Home", "#e");
    await press("!");
    expect(await page.page.textContent("#e")).toBe("!rich");
  });

  test("[ARC-016] Tab goes through shadow roots and stays inside a modal dialog; Escape closes a popover", async () => {
    const page =
      await browser.open(`<input id="a"><x-two id="x"></x-two><input type="radio" name="g"><input type="radio" name="g" id="r" checked><button id="z">Z</button>
      <button id="po" popovertarget="pop">Open</button><div id="pop" popover>Pop</div><dialog id="d"><input id="d1"><button id="d2">X</button></dialog>
      <script>document.getElementById("x").attachShadow({ mode: "open" }).innerHTML = '<input id="s1"><input id="s2">'</script>`);
    const tab = async (key = "Tab"): Promise<string> => {
      await page.run({ type: "press", key });
      return page.page.evaluate(
        "(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).id",
      );
    };
    await page.page.focus("#a");
    expect([await tab(), await tab(), await tab(), await tab()]).toEqual(["s1", "s2", "r", "z"]);
    expect([await tab("Shift+Tab"), await tab("Shift+Tab")]).toEqual(["r", "s2"]);
    await page.run({ type: "click", target: { selector: "#po" } });
    expect(await page.page.evaluate("pop.matches(':popover-open')")).toBe(true);
    expect((await page.run({ type: "press", key: "Escape" })).message).toBeUndefined();
    expect(await page.page.evaluate("pop.matches(':popover-open')")).toBe(false);
    await page.page.evaluate("d.showModal(); d2.focus()");
    expect([await tab(), await tab("Shift+Tab")]).toEqual(["d1", "d2"]);
  });

  test("[ARC-016] a key whose browser action a page cannot trigger is reported as only sent", async () => {
    const page = await browser.open(`<button id="b">B</button><input id="a" value="x">`);
    for (const key of ["F5", "Control+z", "PageDown", "Escape"]) {
      expect(await page.run({ type: "press", key, target: { selector: "#b" } }), key).toMatchObject({
        ok: true,
        message: expect.stringContaining("the app got the events"),
      });
    }
    for (const key of ["Shift", "Enter", "Space", "Tab"]) {
      const { message } = await page.run({ type: "press", key, target: { selector: "#b" } });
      expect(message, key).toBeUndefined();
    }
  });
});

describe("clicks that the app handles on pointerdown", () => {
  const SEEN = `${RECORD}<script>record("pointerdown", "mousedown", "pointerup", "mouseup", "click")</script>`;

  test("[APP-059] a prevented pointerdown suppresses the mouse events, not the click", async () => {
    const page = await browser.open(
      `${SEEN}<button id="b" onpointerdown="event.preventDefault()">B</button>`,
    );
    await page.run({ type: "click", target: { selector: "#b" } });
    expect(await page.page.evaluate(seen)).toBe("pointerdown pointerup click");
  });

  test("[APP-059] an element that disables itself is not clicked, and one that renders again is", async () => {
    const page =
      await browser.open(`${SEEN}<button id="off" onmousedown="this.disabled = true" onclick="document.title = 'clicked'">Off</button>
      <button id="anew" onpointerdown="this.innerHTML = '<i>new</i>'" onclick="document.title = 'anew'"><i>old</i></button>`);
    await page.run({ type: "click", target: { selector: "#off" } });
    expect(await page.page.title()).toBe("Test");
    await page.run({ type: "click", target: { selector: "#anew" } });
    expect(await page.page.title()).toBe("anew");
  });
});
