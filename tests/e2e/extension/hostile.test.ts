import { CONSOLE_METHODS } from "@debug-bridge/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: ExtensionBrowser;
let hub: FakeHub;

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

describe("a page that breaks the platform", () => {
  it("is still captured, and its own code is not called", async () => {
    const page = await browser.run(`
      window.calls = [];
      var called = 0;
      const note = (name) => function () { calls[called++] = name; throw new TypeError(name) };
      const { log, error } = console, { defineProperty } = Object;
      const broken = [
        [Object, ["keys", "getOwnPropertyDescriptor", "getPrototypeOf", "hasOwn", "getOwnPropertySymbols", "entries"]],
        [Reflect, ["apply", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf", "construct", "defineProperty"]],
        [JSON, ["stringify", "parse"]], [Array, ["isArray", "from"]], [Date, ["now"]], [Error, ["captureStackTrace", "isError"]],
        [Array.prototype, ["push", "map", "slice", "join", "forEach", Symbol.iterator, "toJSON"]],
        [Object.prototype, ["toJSON", "toString", "valueOf"]], [String.prototype, ["slice", "indexOf", "charCodeAt", "toJSON", "replace"]],
        [RegExp.prototype, ["exec", "test", Symbol.replace]], [Function.prototype, ["call", "apply", "bind"]],
        [Map.prototype, ["get", "set", "entries", "forEach"]], [WeakMap.prototype, ["get", "set"]], [Performance.prototype, ["now"]],
        [EventTarget.prototype, ["dispatchEvent", "addEventListener"]],
      ];
      const map = new Map([["k", new Date(0)]]), set = new Set([1]);
      for (let i = 0; i < broken.length; i++) for (let j = 0; j < broken[i][1].length; j++)
        defineProperty(broken[i][0], broken[i][1][j], { value: note(broken[i][1][j]), configurable: true, writable: true });
      const polluted = ["detail", "bubbles", "apply", "construct", "method", "stack", "censor", "limits", "live", "targetOf", "cleanStack", "hidesNode"];
      for (let i = 0; i < polluted.length; i++)
        defineProperty(Object.prototype, polluted[i], { get: note("get " + polluted[i]), set: note("set " + polluted[i]), configurable: true });
      defineProperty(Array.prototype, "0", { get: note("index"), set: note("set index"), configurable: true });
      window.JSON = window.Array = window.Object = window.CustomEvent = window.Error = undefined;
      log("survived %s %o", "it", { a: [1, , 2], m: map }, [set]);
      error("later");
    `);
    const { payload } = await hub.event("survived %s %o");
    expect(payload.args.slice(2)).toMatchObject([
      {
        value: {
          a: { type: "array" },
          m: { className: "Map", value: { k: { value: "1970-01-01T00:00:00.000Z" } } },
        },
      },
      { type: "array", value: [{ className: "Set" }] },
    ]);
    await hub.event("later");
    // Playwright's own scripts would trip over this page, so it is read over CDP, with a literal.
    const session = await browser.context.newCDPSession(page);
    const { result } = await session.send("Runtime.evaluate", {
      expression: "called + (called && calls[0])",
    });
    expect(result.value).toBe(0);
  });

  it("cannot break it with hostile values", async () => {
    await browser.run(`
      const boom = () => { throw new Error("boom") };
      const all = new Proxy({}, { get: () => boom });
      console.log("v1", new Proxy({}, all), new Proxy(function () {}, all));
      console.log("v2", { toJSON: boom, toString: boom, valueOf: boom, [Symbol.toPrimitive]: boom, get [Symbol.toStringTag]() { boom() } });
      const revoked = Proxy.revocable({}, {}); revoked.revoke(); console.log("v3", revoked.proxy);
      console.log("v4", Object.create(Map.prototype), Object.create(Date.prototype), Object.create(HTMLElement.prototype), Object.create(Error.prototype));
      const err = new Error("e"); Object.defineProperty(err, "stack", { get: boom }); Object.defineProperty(err, "message", { get: boom }); console.log("v5", err);
      // The console itself calls toString for %s, and so the page's error comes out of it as ever.
      try { console.log("v6 %s %d", { toString: boom }, { valueOf: boom }) } catch {}
      console.log({ toString: boom });
      class Evil { static get name() { boom() } } console.log("v7", new Evil());
      const frame = document.createElement("iframe"); document.body.append(frame); console.log("v8", frame.contentWindow, new frame.contentWindow.Map([[1, 2]]));
      try { console.count({ toString: boom }) } catch (thrown) { console.log("v9", thrown.message) }
    `);
    for (const name of ["v1", "v2", "v3", "v4", "v5", "v6 %s %d", "v7", "v8"]) await hub.event(name);
    expect((await hub.event("v9")).payload.args[1]?.value).toBe("boom");
  });

  it("does not run traps of a proxy, nor getters", async () => {
    const page = await browser.run(`
      window.traps = 0;
      const handler = new Proxy({}, { get: () => { traps++; return undefined } });
      console.log("quiet", new Proxy({ a: 1 }, handler), new Proxy([], handler), Proxy.revocable({}, handler).proxy, { get x() { traps++ } });
    `);
    const { payload } = await hub.event("quiet");
    expect(await page.evaluate(() => (window as unknown as { traps: number }).traps)).toBe(0);
    expect(payload.args[1]).toMatchObject({ className: "Proxy(Object)", value: { a: { value: 1 } } });
  });

  it("keeps its own stack formatter and limit, which are not used for our stacks", async () => {
    const page = await browser.run(`
      window.formatted = 0; Error.stackTraceLimit = 0; Error.prepareStackTrace = () => { formatted++; return "mine" };
      console.log("located anyway");
    `);
    const { payload } = await hub.event("located anyway");
    expect(payload.location).toMatchObject({ line: 3 });
    const state = await page.evaluate(() => [
      (window as unknown as { formatted: number }).formatted,
      Error.stackTraceLimit,
    ]);
    expect(state).toEqual([0, 0]);
  });
});

describe("a page that looks for the extension", () => {
  it("finds the console, its functions and the globals as they are without the extension", async () => {
    const probe = `(() => {
      const describe = (owner, key) => { const { value, ...rest } = Object.getOwnPropertyDescriptor(owner, key); return [typeof value, rest] };
      const print = (fn) => [fn.name, fn.length, fn.toString(), Function.prototype.toString.call(fn), fn + "", Object.getOwnPropertyNames(fn), "prototype" in fn, Object.getPrototypeOf(fn) === Function.prototype];
      const stackOf = (run) => { try { run() } catch (thrown) { return [thrown.message, thrown.stack.split("\\n").length, thrown.stack.includes("chrome-extension")] } };
      return JSON.stringify([
        Object.getOwnPropertyNames(console), Object.getOwnPropertyNames(console).map((key) => describe(console, key)),
        ${JSON.stringify(CONSOLE_METHODS)}.map((method) => [print(console[method]), console[method]("x"), stackOf(() => new console[method]())]),
        print(Function.prototype.toString), describe(Function.prototype, "toString"), stackOf(() => Function.prototype.toString.call({})),
        print(Proxy), print(Proxy.revocable), describe(window, "Proxy"), stackOf(() => new Proxy(1, {})), stackOf(() => Proxy()), stackOf(() => class extends Proxy {}), stackOf(() => Proxy.revocable(1)),
        stackOf(() => { try { null.x } catch (error) { console.log(error); throw error } }),
        Object.getOwnPropertyNames(window).sort(), Object.getOwnPropertySymbols(window).map(String), Object.getOwnPropertyNames(document),
        Object.getOwnPropertyNames(Error), document.documentElement.outerHTML.length,
      ])
    })()`;
    const html = "<!doctype html><title>Probe</title><body>";
    // Not a chosen site, and a secure one as this machine is: its page is as the browser made it.
    const bare = await browser.context.newPage();
    await bare.route("https://bare.test/", (route) =>
      route.fulfill({ contentType: "text/html", body: html }),
    );
    await bare.goto("https://bare.test/");
    const captured = await browser.open(browser.serveHtml("/probe", html));
    const expected = JSON.parse((await bare.evaluate(probe)) as string);
    expect(JSON.parse((await captured.evaluate(probe)) as string)).toEqual(expected);
  });

  it("finds what its own expressions matched in RegExp, whatever is logged after them", async () => {
    const page = await browser.run(`
      const last = () => [RegExp.$1, RegExp.lastMatch, RegExp.input].join();
      window.seen = [last()];
      for (const value of ["plain", "token=abcdef", { password: 1 }, new Error("at x")]) {
        /a(b+)/.exec("abbc");
        console.log(value);
        seen.push(last());
      }
      try { Function.prototype.toString.call({}) } catch {}
      seen.push(last());
      console.log("matched");
    `);
    await hub.event("matched");
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen).toEqual([",,", ...Array(5).fill("bb,abb,abbc")]);
  });

  it("does not learn the id of the extension from the stack of what the console calls", async () => {
    const page = await browser.run(`
      console.log("%s", { toString() { window.stack = new Error().stack; return "looked" } });
    `);
    const stack = await page.evaluate(() => (window as unknown as { stack: string }).stack);
    expect(stack).toContain("at Object.toString");
    expect(stack).not.toContain("chrome-extension:");
  });

  it("finds nothing with the functions of a frame, nor in a frame with its own functions", async () => {
    browser.serve("/frame", "");
    const page = await browser.open(
      browser.serveHtml("/frames", '<!doctype html><iframe src="/frame"></iframe>'),
    );
    const seen = await page.evaluate(() => {
      const blank = document.createElement("iframe");
      document.body.append(blank);
      const frames = [window, frames0(), blank.contentWindow as Window & typeof globalThis];
      function frames0(): Window & typeof globalThis {
        return window.frames[0] as Window & typeof globalThis;
      }
      return frames.flatMap((asks) =>
        frames.map((asked) => asks.Function.prototype.toString.call(asked.console.log)),
      );
    });
    expect(seen).toEqual(Array(9).fill("function log() { [native code] }"));
  });

  it("sees the same order of calls, results and exceptions", async () => {
    const page = await browser.run("");
    const seen = await page.evaluate(() => {
      const order: string[] = [];
      const label = {
        toString: () => {
          order.push("label");
          return "l";
        },
      };
      const returned = [
        console.log("x"),
        console.count(label as unknown as string),
        console.assert(false),
        console.time(),
      ];
      let thrown = "";
      try {
        console.count(Symbol("s") as unknown as string);
      } catch (error) {
        thrown = (error as Error).name;
      }
      return { order, returned, thrown };
    });
    expect(seen.order).toEqual(["label"]);
    expect(seen.returned).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("a page that forges events", () => {
  it("can neither read nor forge events", async () => {
    const page = await browser.run(`
      window.heard = [];
      for (const target of [window, document, document.fonts, document.documentElement])
        for (const name of ["debug-bridge-offer", "e", "message"]) target.addEventListener(name, (event) => heard.push(name), true);
      console.log("genuine");
      const bus = new EventTarget();
      for (const type of ["e", "c", "d", "s"]) bus.addEventListener(type, (event) => heard.push("bus " + type));
      for (const target of [window, document, document.fonts]) {
        target.dispatchEvent(new MouseEvent("debug-bridge-offer", { relatedTarget: bus, bubbles: true }));
        target.dispatchEvent(new CustomEvent("e", { detail: '01{"method":"log","args":[{"type":"string","value":"forged"}]}' }));
        target.dispatchEvent(new Event("s"));
      }
      postMessage({ kind: "events", first: 0, list: ['01{"method":"log","args":[{"type":"string","value":"forged"}]}'] }, "*");
      console.log("still genuine");
    `);
    await hub.event("genuine");
    await hub.event("still genuine");
    const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    // Only what the page itself dispatched.
    expect(heard.filter((name) => name.startsWith("bus"))).toEqual([]);
    expect(hub.lines).not.toContain("forged");
  });

  it("cannot reach the channel of a frame that it is about to load", async () => {
    browser.serve("/child", "console.log('child speaks')");
    const page = await browser.run(`
      window.heard = 0;
      const frame = document.createElement("iframe"); frame.src = "/child"; document.body.append(frame);
      for (const name of ["debug-bridge-offer", "e"]) frame.contentWindow.addEventListener(name, () => heard++, true);
    `);
    await hub.event("child speaks");
    expect(await page.evaluate(() => (window as unknown as { heard: number }).heard)).toBe(0);
  });

  it("cannot pose as a frame's parent document in a page that was open before the extension", async () => {
    const worker = await browser.worker();
    browser.serve("/late-frame", "console.log('late frame speaks')");
    await worker.evaluate(() => chrome.scripting.unregisterContentScripts());
    const page = await browser.run(`
      window.asked = 0;
      for (const tag of ["img", "iframe"]) {
        const pretender = document.createElement(tag);
        pretender.id = pretender.name = "debugBridgeBus";
        pretender.addEventListener("w", () => asked++);
        document.body.append(pretender);
      }`);
    await worker.evaluate(() => chrome.storage.local.set({ sites: ["http://again.test/*"] }));
    await until(() =>
      worker.evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).length === 2),
    );
    await page.evaluate(() => {
      document.querySelector("iframe")?.remove();
      const frame = document.createElement("iframe");
      frame.src = "/late-frame";
      document.body.append(frame);
    });
    await hub.event("late frame speaks");
    expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
  });

  it("is not captured outside the chosen sites", async () => {
    const page = await browser.context.newPage();
    await page.route("http://shop.test/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<script>console.log('elsewhere')</script>" }),
    );
    await page.goto("http://shop.test/");
    await browser.run("console.log('here')");
    await hub.event("here");
    expect(hub.lines).not.toContain("elsewhere");
  });
});
