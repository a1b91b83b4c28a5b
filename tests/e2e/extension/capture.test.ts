import {
  CONSOLE_METHODS,
  type ConsoleArgument,
  type ConsoleEvent,
  formatConsoleArguments,
  MASK,
} from "@debug-bridge/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { CONSOLE_CASES } from "../../support/console/console-cases.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: ExtensionBrowser;
let hub: FakeHub;
let marks = 0;

beforeAll(async () => {
  hub = await FakeHub.start();
  browser = await ExtensionBrowser.launch();
  await browser.use(hub.address);
  await until(() => hub.messages.length > 0);
});
afterEach(async () => {
  await browser.closePages();
  expect(hub.invalid).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

/** Runs code in its own page and returns the events that came from it. */
async function eventsOf(code: string): Promise<ConsoleEvent[]> {
  const end = `end ${++marks}`;
  await browser.run(`${code}\n;console.log(${JSON.stringify(end)})`);
  const last = await hub.event(end);
  const events = hub.events.filter(({ source }) => source.documentId === last.source.documentId);
  return events.slice(0, events.indexOf(last));
}

/** The arguments of the only event. */
async function argsOf(code: string): Promise<ConsoleArgument[]> {
  const events = await eventsOf(code);
  expect(events.length).toBe(1);
  return events[0]?.payload.args ?? [];
}

describe("console methods in a real page", () => {
  it("arrive under their own names, all 19", async () => {
    const events = await eventsOf(
      `for (const method of ${JSON.stringify(CONSOLE_METHODS)}) console[method](method === "assert" ? false : method)`,
    );
    expect(events.map(({ payload }) => payload.method)).toEqual([...CONSOLE_METHODS]);
  });

  it("keep the meaning of groups, counters, timers and assertions", async () => {
    const events = await eventsOf(`
      console.group("g"); console.groupCollapsed("h"); console.log("in"); console.groupEnd(); console.groupEnd();
      console.count("c"); console.count("c"); console.countReset("c"); console.count("c");
      console.time("t"); console.timeLog("t", 1); console.timeEnd("t");
      console.assert(true, "not shown"); console.assert(false, "shown %s", "x");
    `);
    const shown = events.map(({ payload }) => [
      payload.method,
      payload.groupDepth ?? 0,
      ...payload.args.map(({ value }) => value),
    ]);
    expect(shown).toEqual([
      ["group", 0, "g"],
      ["groupCollapsed", 1, "h"],
      ["log", 2, "in"],
      ["groupEnd", 2],
      ["groupEnd", 1],
      ["count", 0, "c: 1"],
      ["count", 0, "c: 2"],
      ["countReset", 0, "c"],
      ["count", 0, "c: 1"],
      ["time", 0, "t"],
      ["timeLog", 0, expect.stringMatching(/^t: \d+\.\d+ ms$/), 1],
      ["timeEnd", 0, expect.stringMatching(/^t: \d+\.\d+ ms$/)],
      ["assert", 0, "Assertion failed", "shown %s", "x"],
    ]);
  });

  it("keep their format specifiers for the reader to apply", async () => {
    const args = await argsOf(
      `console.log("%cbig%c %s is %d (%i, %f) %o %%", "font-size: 9px", "", "x", 4.9, "7px", 1.5, {a: 1})`,
    );
    expect(args[0]).toEqual({ type: "string", value: "%cbig%c %s is %d (%i, %f) %o %%" });
    expect(formatConsoleArguments(args)).toBe("big x is 4 (7, 1.5) {a: 1} %");
  });

  it("read the same and are masked the same as in every other world", async () => {
    const events = await eventsOf(CONSOLE_CASES.map(({ call }) => `console.log(${call});`).join("\n"));
    expect(events.map(({ payload }) => formatConsoleArguments(payload.args))).toEqual(
      CONSOLE_CASES.map(({ text }) => text),
    );
  });
});

describe("arguments from a real page", () => {
  it("[CON-031…CON-034, CON-041] has primitives with type and value, in order", async () => {
    const args = await argsOf(
      `console.log("s", 1.5, NaN, -Infinity, -0, 10n, true, null, undefined, Symbol("y"))`,
    );
    expect(args).toEqual([
      { type: "string", value: "s" },
      { type: "number", value: 1.5 },
      { type: "number", value: "NaN" },
      { type: "number", value: "-Infinity" },
      { type: "number", value: "-0" },
      { type: "number", value: "10n" },
      { type: "boolean", value: true },
      { type: "null" },
      { type: "undefined" },
      { type: "object", className: "Symbol", value: "Symbol(y)" },
    ]);
  });

  it("[CON-035, CON-036, CON-037, CON-039] has objects, arrays, functions and cycles as data", async () => {
    const args = await argsOf(`
      class Cart { constructor() { this.items = ["a", 2]; this.self = this; } get total() { throw 1 } }
      const own = Object.defineProperty({}, "lazy", { enumerable: true, get() { document.title = "called"; } });
      console.log(new Cart(), own, function add() {}, () => {})`);
    expect(args).toEqual([
      {
        type: "object",
        className: "Cart",
        value: {
          items: {
            type: "array",
            value: [
              { type: "string", value: "a" },
              { type: "number", value: 2 },
            ],
          },
          self: { type: "circular", className: "Cart", value: "[Circular]" },
        },
      },
      { type: "object", value: { lazy: { type: "object", value: "(getter)" } } },
      { type: "function", name: "add" },
      { type: "function", name: "" },
    ]);
  });

  it("[CON-038] has DOM nodes with tag and a short form of their markup", async () => {
    const [div, body, text, doc] = await argsOf(`
      document.body.insertAdjacentHTML("beforeend", '<div id="x" class="a b">hi</div><input type="password" value="hunter2">');
      console.log(document.getElementById("x"), document.body, document.createTextNode("t"), document);`);
    expect(div).toMatchObject({
      type: "dom",
      tagName: "DIV",
      className: "HTMLDivElement",
      value: '<div id="x" class="a b">hi</div>',
    });
    expect(body).toMatchObject({ type: "dom", tagName: "BODY", value: "<body>…</body>" });
    expect(text).toMatchObject({ type: "dom", tagName: "#text", value: "t" });
    expect(doc).toMatchObject({ type: "dom", tagName: "#document" });
    const [input] = await argsOf(
      `const i = document.createElement("input"); i.setAttribute("type", "password"); i.setAttribute("value", "hunter2"); console.log(i)`,
    );
    expect(input?.value).toBe(`<input type="password" value="${MASK}"></input>`);
  });

  it("[CON-040] has errors with text, stack and cause", async () => {
    const [error, exception] = await argsOf(`
      function fail() { return new TypeError("no", { cause: new RangeError("why") }) }
      console.error(fail(), new DOMException("gone", "AbortError"))`);
    expect(error).toMatchObject({
      type: "error",
      className: "TypeError",
      value: "TypeError: no",
      stack: expect.stringMatching(/^TypeError: no\n {4}at fail \(http:/),
      cause: { type: "error", value: "RangeError: why" },
    });
    expect(exception).toMatchObject({ type: "error", value: "AbortError: gone" });
  });

  it("has built-in objects in a readable form", async () => {
    const args = await until(async () => {
      const read =
        await argsOf(`console.log(new Map([["a", 1]]), new Set([1]), new Date(0), /x/g, new Uint8Array([1, 2]),
        new Proxy({ a: 1 }, {}), new URL("http://a.test/"), Promise.resolve(1), new Event("go"), window)`);
      // What is too slow to list on a busy machine is left out.
      return !JSON.stringify(read).includes("too slow") && read;
    });
    expect(args.map((arg) => [arg.type, "className" in arg ? arg.className : undefined, arg.value])).toEqual([
      ["object", "Map", { a: { type: "number", value: 1 } }],
      ["array", "Set", [{ type: "number", value: 1 }]],
      ["object", "Date", "1970-01-01T00:00:00.000Z"],
      ["object", "RegExp", "/x/g"],
      [
        "array",
        "Uint8Array",
        [
          { type: "number", value: 1 },
          { type: "number", value: 2 },
        ],
      ],
      ["object", "Proxy(Object)", { a: { type: "number", value: 1 } }],
      ["object", "URL", "http://a.test/"],
      ["object", "Promise", "Promise"],
      ["object", "Event", "Event go"],
      ["object", "Window", "Window"],
    ]);
  });

  it("[CON-066, CON-067, CON-068] is cut at the limits, with a mark", async () => {
    const [long, deep] = await argsOf(`
      let deep = 1; for (let i = 0; i < 40; i++) deep = { deep };
      console.log("x".repeat(20000), deep)`);
    expect(long?.value).toMatch(/^x{10240}… \[9760 more characters\]$/);
    expect(JSON.stringify(deep)).toContain('"value":"[Object]"');
    // What a busy machine could not write in time is left out as well.
    const wide = await until(async () => {
      const [value] = await argsOf(
        'const wide = {}; for (let i = 0; i < 1500; i++) wide["k" + i] = i; console.log(wide)',
      );
      return (value as { omitted?: number }).omitted === 500 && value;
    });
    expect(Object.keys(wide.value as object).length).toBe(1_000);
    const list = await until(async () => {
      const [value] = await argsOf("console.log(Array(3000).fill(0))");
      return (value as { omitted?: number }).omitted === 2_000 && value;
    });
    expect((list.value as unknown[]).length).toBe(1_000);
    const many = await argsOf("console.log(...Array.from({ length: 150 }, (_, i) => i))");
    expect(many.length).toBe(100);
    expect(many[99]?.value).toBe("… [51 more arguments]");
  });
});

describe("the size of events", () => {
  it("[CON-065] is below 1 KB on average for what applications log", async () => {
    const events = await eventsOf(`
      const user = { id: 42, name: "Ada", roles: ["admin", "editor"], settings: { theme: "dark", pageSize: 25 } };
      console.log("User logged in", user);
      console.info("GET /api/items?page=1 200 in 12 ms");
      console.warn("Deprecated: use fetchAll instead of load");
      console.error(new TypeError("Cannot read properties of undefined (reading 'items')"));
      console.table([{ sku: "a1", qty: 2 }, { sku: "b7", qty: 1 }]);
      console.log("%cstate", "color: gray", { cart: { items: [{ sku: "a1", qty: 2 }], total: 9.5 }, user });
      console.count("render");
      console.log(document.body, [1, 2, 3, 4, 5]);`);
    const sizes = events.map((event) => Buffer.byteLength(JSON.stringify(event)));
    expect(sizes.length).toBe(8);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(1_024);
  });
});

describe("source of an event", () => {
  it("[CON-042] has url, line and column of the caller", async () => {
    const url = browser.serveHtml("/loc.js", "\n\n  function say() { console.log('located') }\nsay();\n");
    await browser.open(browser.serveHtml("/loc", `<!doctype html><script src="/loc.js"></script>`));
    const { payload } = await hub.event("located");
    expect(payload.location).toEqual({ url, line: 3, column: 28 });
  });

  it("has a location even in a folder whose name has parentheses", async () => {
    browser.serveHtml("/(shop)/cart.js", "function load() { console.log('from the cart') }\nload();");
    await browser.open(browser.serveHtml("/with-cart", '<script src="/(shop)/cart.js"></script>'));
    const { payload } = await hub.event("from the cart");
    expect(payload.location).toEqual({ url: browser.url("/(shop)/cart.js"), line: 1, column: 27 });
  });

  it("reports its group depth, including zero", async () => {
    const events = await eventsOf(
      "console.group('g'); console.log('in'); console.clear(); console.log('out')",
    );
    expect(events.map(({ payload }) => payload.groupDepth)).toEqual([0, 1, 1, 0]);
  });

  it("has the whole stack of a trace", async () => {
    const [event] = await eventsOf("function a() { b() } function b() { console.trace('t') } a()");
    expect(event?.payload.stack).toMatch(/^ {4}at b \(http.*\n {4}at a \(http/);
    expect(event?.payload.stack).not.toContain("chrome-extension");
  });

  it("has tab, url and title, even after the page changed them, and the time of the call", async () => {
    const before = Date.now();
    const page = await browser.run("console.log('first')");
    await page.evaluate(() => {
      document.title = "New title";
      history.pushState(null, "", "/elsewhere");
      console.log("second");
    });
    const { source, timestamp } = await hub.event("second");
    expect(source).toMatchObject({
      title: "New title",
      url: browser.url("/elsewhere"),
      tabId: expect.any(Number),
    });
    expect(source.frameId).toBeUndefined();
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now());
  });

  it("names the frame that is not the main one: same origin, other origin, srcdoc and blank", async () => {
    browser.serve("/inner", "console.log('from inner ' + location.host)");
    await browser.open(
      browser.serveHtml(
        "/outer",
        `<!doctype html><title>Outer</title><iframe src="/inner"></iframe><iframe src="${browser.url("/inner", "other.localhost")}"></iframe>
        <iframe srcdoc="<script>console.log('from srcdoc')</script>"></iframe>
        <script>const blank = document.createElement("iframe"); document.documentElement.append(blank); blank.contentWindow.console.log("from blank")</script>`,
      ),
    );
    const outer = { url: browser.url("/outer"), title: "Outer", frameId: expect.any(Number) };
    const port = new URL(browser.url("/")).port;
    expect((await hub.event(`from inner 127.0.0.1:${port}`)).source).toMatchObject({
      ...outer,
      frameUrl: browser.url("/inner"),
    });
    expect((await hub.event(`from inner other.localhost:${port}`)).source).toMatchObject({
      url: outer.url,
      frameUrl: browser.url("/inner", "other.localhost"),
    });
    expect((await hub.event("from srcdoc")).source).toMatchObject({ ...outer, frameUrl: "about:srcdoc" });
    expect((await hub.event("from blank")).source).toMatchObject({ ...outer, frameUrl: "about:blank" });
  });
});

describe("uncaught errors", () => {
  it("is reported with its error and location", async () => {
    const url = browser.serve("/thrown", "throw new TypeError('loose')");
    await browser.open(url);
    const { payload } = await until(() =>
      hub.events.find(({ payload: { uncaught } }) => uncaught === "error"),
    );
    expect(payload).toMatchObject({
      method: "error",
      args: [{ type: "error", value: "TypeError: loose" }],
      location: { url, line: 1 },
    });
  });

  it("[CON-043] includes rejections without a location and thrown values that are not errors, but not synthetic events", async () => {
    await browser.run(`
      dispatchEvent(new ErrorEvent("error", { message: "made up", error: new Error("made up") }));
      Promise.reject({ code: 7 });
      setTimeout(() => { throw "text" });`);
    const rejection = await until(() => hub.events.find(({ payload }) => payload.uncaught === "rejection"));
    expect(rejection.payload.location).toBeUndefined();
    expect(rejection.payload.args).toEqual([
      { type: "object", value: { code: { type: "number", value: 7 } } },
    ]);
    await until(() =>
      hub.events.find(({ payload }) => payload.uncaught === "error" && payload.args[0]?.value === "text"),
    );
    expect(JSON.stringify(hub.events)).not.toContain("made up");
  });

  it("is reported after the page rewrote itself with document.write", async () => {
    const page = await browser.run("");
    await page.evaluate(() => {
      document.open();
      document.write("<p>anew</p>");
      document.close();
    });
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error("thrown anew");
      });
      void Promise.reject(new Error("rejected anew"));
    });
    const texts = () => hub.events.map(({ payload }) => payload.args[0]?.value);
    await until(() => texts().includes("Error: thrown anew") && texts().includes("Error: rejected anew"));
  });

  it("has a location in the page for an endless recursion that logs", async () => {
    // Many arguments fill the stack in a few hundred calls instead of ten thousand.
    await browser.run(`
      setTimeout(function dive() { console.debug("deeper"); dive(...Array(200)) });
    `);
    const { payload } = await until(
      () =>
        hub.events.find(
          ({ payload }) => payload.args[0]?.value === "RangeError: Maximum call stack size exceeded",
        ),
      30_000,
    );
    expect(payload.location).toMatchObject({ url: expect.stringMatching(/^http:/), line: 2 });
    expect(JSON.stringify(payload)).not.toContain("chrome-extension");
  });
});
