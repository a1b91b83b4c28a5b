import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** Answers requests to /api with JSON after a while. */
async function serveApi(page: EnginePage, ms = 0): Promise<void> {
  await page.page.route("http://app.test/api/**", async (route) => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const failing = route.request().url().includes("fail");
    if (failing) return route.abort();
    return route.fulfill({ status: 201, json: { user: "ada", password: "hunter22", note: "x" } });
  });
}

describe("console and errors", () => {
  test("the end of a group is recorded, and is no line of a receipt", async () => {
    const page = await browser.open(
      `<button onclick="console.group('Order'); console.log('inside'); console.groupEnd(); console.log('after')">Go</button>`,
    );
    const { receipt } = await page.run({ type: "click", target: { text: "Go" } });
    expect(receipt?.console?.map(({ text }) => text)).toEqual(["Order", "inside", "after"]);
    const lines = await page.messages("console");
    expect(lines.map(({ level, method = level }) => method)).toEqual(["group", "log", "groupEnd", "log"]);
  });

  test("[APP-027] [APP-055] [APP-056] [APP-085] lines come as strings, and the page still prints them", async () => {
    const page = await browser.open("");
    const printed: string[] = [];
    page.page.on("console", (message) => printed.push(`${message.type()} ${message.text()}`));
    await page.page.evaluate(() => {
      const circular: Record<string, unknown> = { a: 1 };
      circular.self = circular;
      const throwing = {
        get x() {
          throw new Error("getter");
        },
        y: 2,
      };
      console.log("text", 1, null, undefined, circular, throwing, [1n], new Map([["k", new Date(0)]]));
      console.info("i");
      console.warn("w");
      console.error(new TypeError("boom"));
      console.debug("d");
      console.assert(true, "fine");
      console.assert(false, "not fine");
      console.log("x".repeat(50_000));
    });
    const lines = await page.messages("console");
    expect(lines.map(({ level, method }) => [level, method])).toEqual([
      ["log", undefined],
      ["info", undefined],
      ["warn", undefined],
      ["error", undefined],
      ["log", "debug"],
      ["error", "assert"],
      ["log", undefined],
    ]);
    expect(lines[0]?.args).toEqual([
      "text",
      "1",
      "null",
      "undefined",
      '{"a":1,"self":"[Circular]"}',
      '{"x":"(getter)","y":2}',
      '["1n"]',
      '{"k":"1970-01-01T00:00:00.000Z"}',
    ]);
    expect(lines[3]?.args[0]).toMatch(/^TypeError: boom\n.*at/s);
    expect(lines[6]?.args[0]).toMatch(/^x{10240}… \[39760 more characters\]$/);
    expect(printed).toContain("log i".replace("log", "info"));
    expect(printed.filter((line) => line.startsWith("assert"))).toHaveLength(1);
  });

  test("hooked functions look unchanged, and our own failures do not reach the app", async () => {
    const page = await browser.open("");
    const looks = await page.page.evaluate(() => [
      String(console.log),
      console.log.name,
      String(fetch),
      fetch.length,
      String(WebSocket),
      WebSocket.OPEN,
      typeof WebSocket.prototype.send,
    ]);
    expect(looks).toEqual([
      "function log() { [native code] }",
      "log",
      "function fetch() { [native code] }",
      1,
      "function WebSocket() { [native code] }",
      1,
      "function",
    ]);
  });

  test("[APP-028] [APP-029] errors, rejections and resources that do not load", async () => {
    const page = await browser.open(
      `<img src="/missing.png"><script>setTimeout(() => { null.x }); Promise.reject(new Error("later"));</script>`,
    );
    await page.page.route("**/missing.png", (route) => route.abort());
    const error = await page.waitForMessage("error", ({ resource }) => !resource);
    expect(error).toMatchObject({
      message: expect.stringContaining("null"),
      filename: "http://app.test/",
      lineno: expect.any(Number),
      colno: expect.any(Number),
      stack: expect.stringContaining("TypeError"),
    });
    expect(await page.waitForMessage("unhandledrejection")).toMatchObject({
      reason: expect.stringContaining("Error: later"),
    });
    await page.page.evaluate(() =>
      document.body.insertAdjacentHTML("beforeend", '<img src="/missing.png?token=abc123">'),
    );
    expect(
      await page.waitForMessage("error", ({ resource }) => resource?.url.includes("?") === true),
    ).toMatchObject({
      resource: { tag: "img", url: "http://app.test/missing.png?token=•••" },
    });
  });

  test("[ARC-042] [ARC-043] a page that breaks globals and hooks does not break the engine", async () => {
    const page = await browser.open(
      `<button>Go</button>`,
      {},
      `globalThis.engineOptions = { getCustomState: () => { throw new Error("theirs") } };`,
    );
    await page.announce();
    await page.page.evaluate(() => {
      const broken = (): never => {
        throw new Error("patched");
      };
      Object.assign(globalThis, {
        setTimeout: broken,
        requestAnimationFrame: broken,
        requestIdleCallback: broken,
        MutationObserver: broken,
      });
      JSON.stringify = broken;
      JSON.parse = broken;
      Date.now = broken;
      performance.now = broken;
    });
    const click = await page.page.evaluate(
      "engine.run({ type: 'click', target: { text: 'Go' } }, new AbortController().signal).then((o) => o.receipt.settled)",
    );
    expect(click).toBe(true);
  });
});

describe("network", () => {
  test("[ARC-025] fetch and XMLHttpRequest, with status, time and sizes, without bodies", async () => {
    const page = await browser.open("");
    await serveApi(page);
    await page.page.evaluate(async () => {
      await fetch("/api/a?x=1&access_token=s3cr3t", { method: "post", body: "hello" });
      await fetch("/api/fail").catch(() => {});
      const xhr = new XMLHttpRequest();
      xhr.open("PUT", "/api/b");
      await new Promise((resolve) => {
        xhr.onloadend = resolve;
        xhr.send("{}");
      });
    });
    const seen = (await page.messages("network")).map(({ id: _, durationMs, ...rest }) => ({
      ...rest,
      timed: durationMs !== undefined,
    }));
    expect(seen).toMatchObject([
      {
        phase: "request",
        api: "fetch",
        method: "POST",
        url: "http://app.test/api/a?x=1&access_token=•••",
        requestBytes: 5,
        timed: false,
      },
      { phase: "response", status: 201, timed: true },
      { phase: "request", url: "http://app.test/api/fail" },
      { phase: "failed", status: 0, error: expect.stringContaining("Failed to fetch") },
      { phase: "request", api: "xhr", method: "PUT", requestBytes: 2 },
      { phase: "response", api: "xhr", status: 201, responseBytes: expect.any(Number) },
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/"body"|hunter22|s3cr3t/);
  });

  test("bodies only on request, masked; the app still reads them; rejections stay unhandled", async () => {
    const page = await browser.open("", { captureBodies: true });
    await serveApi(page);
    const read = await page.page.evaluate(async () => {
      const response = await fetch("/api/a", {
        method: "POST",
        body: JSON.stringify({ apiKey: "k-123", q: 1 }),
      });
      return response.json();
    });
    expect(read).toMatchObject({ password: "hunter22" });
    const request = await page.waitForMessage("network", ({ phase }) => phase === "request");
    expect(request.body).toBe('{"apiKey":"•••","q":1}');
    const response = await page.waitForMessage("network", ({ phase }) => phase === "message");
    expect(response).toMatchObject({ id: request.id, direction: "in" });
    expect(response.body).toContain('"password":"•••"');
    await page.page.evaluate(() => void fetch("/api/fail"));
    await page.waitForMessage("unhandledrejection");
  });
});

test("[ARC-026] every change of the URL", async () => {
  const page = await browser.open("");
  await page.page.evaluate(async () => {
    history.pushState({}, "", "/a");
    history.replaceState({}, "", "/b");
    location.hash = "x";
    await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    history.back();
    await new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  });
  const kinds = (await page.messages("navigation")).map(({ kind, to }) => [
    kind,
    new URL(to).pathname + new URL(to).hash,
  ]);
  expect(kinds.slice(0, 4)).toEqual([
    ["load", "/"],
    ["push", "/a"],
    ["replace", "/b"],
    ["hash", "/b#x"],
  ]);
});

test("[ARC-028] [ARC-044] web vitals, and the engine's own cost", async () => {
  const page = await browser.open("<h1>Hello</h1>");
  await page.announce();
  const names = new Set<string>();
  for (const wanted of ["TTFB", "FCP", "LCP", "load"])
    names.add((await page.waitForMessage("vitals", ({ name }) => name === wanted)).name);
  expect(names.size).toBe(4);
  await page.page.evaluate(() => {
    for (let i = 0; i < 3_000; i++) console.log("busy", { i });
  });
  const self = await page.page.waitForFunction("messages.find((m) => m.name === 'self')", null, {
    timeout: 60_000,
  });
  expect(await self.jsonValue()).toMatchObject({
    value: expect.any(Number),
    detail: { bytesDropped: expect.any(Number) },
  });
});

describe("DOM changes", () => {
  test("[APP-012…APP-016] [APP-057] [APP-083] one batch has the net effect", async () => {
    const page = await browser.open(`<ul id="list"><li>one</li><li>two</li></ul><p id="text">old</p>`);
    await page.announce();
    await page.page.evaluate(async () => {
      const list = document.getElementById("list") as HTMLElement;
      const item = document.createElement("li");
      item.textContent = "three";
      list.append(item);
      item.setAttribute("class", "new");
      const ghost = document.createElement("li");
      list.append(ghost);
      ghost.textContent = "ghost";
      ghost.remove();
      list.firstElementChild?.remove();
      list.setAttribute("data-x", "1");
      list.setAttribute("data-x", "2");
      const text = (document.getElementById("text") as Element).firstChild as Text;
      text.data = "newer";
      text.data = "newest";
      await new Promise((resolve) => setTimeout(resolve, 20));
      document.body.setAttribute("lang", "en");
    });
    const { mutations } = await page.waitForMessage("dom_mutations");
    expect(await page.messages("dom_mutations")).toHaveLength(1);
    expect(mutations).toEqual([
      {
        mutationType: "childList",
        targetSelector: "#list",
        addedNodes: ['<li class="new">three</li>'],
        removedNodes: ["<li>one</li>"],
      },
      { mutationType: "attributes", targetSelector: "#list", attributeName: "data-x", attributeValue: "2" },
      { mutationType: "attributes", targetSelector: "body", attributeName: "lang", attributeValue: "en" },
      { mutationType: "characterData", targetSelector: "#text", textContent: "newest" },
    ]);
  });

  test("nodes that came and went within a batch are not reported", async () => {
    const page = await browser.open("");
    await page.announce();
    await page.page.evaluate(() => {
      for (let i = 0; i < 100; i++) {
        const node = document.createElement("div");
        document.body.append(node);
        node.remove();
      }
    });
    await page.page.waitForTimeout(300);
    expect(await page.messages("dom_mutations")).toEqual([]);
  });

  test("[APP-086] [ARC-037] [ARC-038] huge fragments are cut; a spent budget leaves a gap and one snapshot", async () => {
    const page = await browser.open("");
    await page.announce();
    await page.page.evaluate(() =>
      document.body.insertAdjacentHTML("beforeend", `<p>${"x".repeat(100_000)}</p>`),
    );
    const { mutations, truncated } = await page.waitForMessage("dom_mutations");
    expect(truncated).toBe(true);
    expect(mutations[0]?.addedNodes?.[0]).toMatch(/more characters\]$/);
    await page.page.evaluate(() => {
      for (let i = 0; i < 3_000; i++) {
        const parent = document.createElement("section");
        parent.innerHTML = `<p>${"filler ".repeat(40)}${i}</p>`;
        document.body.append(parent);
      }
    });
    const gap = await page.waitForMessage("gap");
    expect(gap.dropped).toBeGreaterThan(1_000);
    expect(gap.reason).toContain("snapshot");
    const snapshot = await page.waitForMessage("dom_snapshot", ({ html }) => html.includes("2999"));
    expect(snapshot.html).toContain("filler 0<");
    expect(await page.messages("dom_snapshot")).toHaveLength(2);
  });
});

describe("receipts", () => {
  test("[ARC-029] [ARC-048…ARC-051] contain what appeared, vanished, changed, was logged, requested and navigated", async () => {
    const page = await browser.open(
      `<button id="go">Go</button><button id="old">Old</button><input aria-label="Field">`,
      {},
      `globalThis.count = 0; globalThis.engineOptions = { getCustomState: () => ({ cart: { count: globalThis.count, same: 1 } }) };`,
    );
    await serveApi(page, 150);
    await page.page.evaluate(() => {
      (document.getElementById("go") as HTMLElement).onclick = async () => {
        console.warn("clicked", { by: "agent" });
        history.pushState({}, "", "/done");
        const response = await fetch("/api/save", { method: "POST" });
        await response.json();
        Object.assign(globalThis, { count: 3 });
        document.getElementById("old")?.remove();
        document.body.insertAdjacentHTML("beforeend", "<button>Undo</button>");
        (document.querySelector("input") as HTMLInputElement).value = "saved";
        setTimeout(() => {
          throw new Error("late");
        });
      };
    });
    // The default limit is for people who wait; a busy machine needs longer to become quiet.
    const { receipt } = await page.run({
      type: "click",
      target: { text: "Go" },
      settle: { maxMs: 30_000 },
    });
    expect(receipt).toMatchObject({
      settled: true,
      appeared: [{ role: "button", name: "Undo" }],
      vanished: [{ role: "button", name: "Old" }],
      changed: [{ name: "Field", field: "value", before: "", after: "saved" }],
      console: [{ level: "warn", text: 'clicked {"by":"agent"}' }],
      errors: [expect.stringContaining("late")],
      requests: [
        { method: "POST", url: "http://app.test/api/save", status: 201, durationMs: expect.any(Number) },
      ],
      navigation: { from: "http://app.test/", to: "http://app.test/done" },
      state: [{ scope: "cart", path: "count", before: 0, after: 3 }],
    });
    expect(receipt?.durationMs).toBeGreaterThan(140);
  });

  test("[ARC-051, ARC-053] waiting can be changed and skipped, and ends at its limit on a page that never rests", async () => {
    const page = await browser.open(
      `<button>Quiet</button><button onclick="setInterval(() => document.body.toggleAttribute('x'), 5)">Restless</button>`,
    );
    expect(
      (await page.run({ type: "click", target: { text: "Quiet" }, settle: false })).receipt,
    ).toMatchObject({ settled: false });
    const slow = await page.run({
      type: "click",
      target: { text: "Quiet" },
      settle: { quietMs: 200, maxMs: 30_000 },
    });
    expect(slow.receipt?.settled).toBe(true);
    expect(slow.receipt?.durationMs).toBeGreaterThanOrEqual(195);
    // A busy browser may let a page rest for a moment, but not for as long as this.
    const click = (text: string, settle: object) => page.run({ type: "click", target: { text }, settle });
    const restless = await click("Restless", { quietMs: 240, maxMs: 250 });
    expect(restless.receipt?.settled).toBe(false);
    const longer = await click("Quiet", { quietMs: 1_500, maxMs: 2_000 });
    expect(longer.receipt?.settled).toBe(false);
    // Each gave up at its own limit, whatever the speed of the machine.
    expect(restless.receipt?.durationMs).toBeGreaterThanOrEqual(245);
    expect(longer.receipt?.durationMs).toBeGreaterThanOrEqual(1_995);
    expect(restless.receipt?.durationMs).toBeLessThan(longer.receipt?.durationMs ?? 0);
  });
});
