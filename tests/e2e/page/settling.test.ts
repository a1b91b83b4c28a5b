import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage, type SendableOptions } from "./engine-page.js";

const browser = new EngineBrowser();
let server: Server;
let origin = "";
let body = "";
beforeAll(async () => {
  await browser.start();
  server = createServer((request, response) => {
    if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<!doctype html><title>Test</title>${body}`);
      return;
    }
    response.writeHead(200, { "content-type": "text/plain" });
    if (request.url === "/endless") {
      response.write("one ");
      return;
    }
    const words = ["one", "two", "three"];
    const timer = setInterval(() => {
      response.write(`${words.shift()} `);
      if (words.length > 0) return;
      clearInterval(timer);
      response.end();
    }, 150);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.stop();
  server.closeAllConnections();
  server.close();
});

async function pageThat(does: string, options: SendableOptions = {}): Promise<EnginePage> {
  body = `<button onclick="go()">Go</button><p id="out"></p><script>async function go() { ${does} }</script>`;
  const page = await browser.open("", options);
  await page.page.goto(origin);
  return page;
}

describe("a page is quiet when everything that the action started has ended", () => {
  const readers = {
    "with a reader": `const reader = (await fetch("/words")).body.getReader();
      for (let part; !(part = await reader.read()).done;) out.textContent += new TextDecoder().decode(part.value);`,
    "through a decoder": `const reader = (await fetch("/words")).body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part; !(part = await reader.read()).done;) out.textContent += part.value;`,
    "at once": `out.textContent = await (await fetch("/words")).text();`,
  };
  for (const [how, code] of Object.entries(readers)) {
    test.each([false, true])(
      `an answer in pieces is awaited when it is read ${how}; bodies: %s`,
      async (captureBodies) => {
        const page = await pageThat(code, { captureBodies });
        const { receipt } = await page.run({
          type: "click",
          target: { text: "Go" },
          settle: { maxMs: 30_000 },
        });
        expect(receipt).toMatchObject({ settled: true, requests: [{ status: 200 }] });
        expect(await page.page.textContent("#out")).toBe("one two three ");
      },
    );
  }

  test("an image that the action started to load is awaited", async () => {
    const page = await pageThat(
      `const image = new Image(); image.onerror = image.onload = () => { document.title = "ended"; };
       image.src = "/words"; out.append(image);`,
    );
    const { receipt } = await page.run({ type: "click", target: { text: "Go" }, settle: { maxMs: 30_000 } });
    expect(receipt?.settled).toBe(true);
    expect(await page.page.title()).toBe("ended");
  });

  test("a reader that releases its lock is no longer awaited", async () => {
    const page = await pageThat(
      `const reader = (await fetch("/endless")).body.getReader(); await reader.read(); reader.releaseLock();`,
    );
    const { receipt } = await page.run({ type: "click", target: { text: "Go" }, settle: { maxMs: 30_000 } });
    expect(receipt?.settled).toBe(true);
  });

  const requests = {
    "that cannot be sent": `const xhr = new XMLHttpRequest(); xhr.open("GET", "http://127.0.0.1:1/", false);
      try { xhr.send(); } catch { out.textContent = "failed"; }`,
    "whose object asks for something else": `const xhr = new XMLHttpRequest(); xhr.open("GET", "/words?1"); xhr.send();
      xhr.open("GET", "/words?2"); xhr.send();`,
    "that is sent twice": `const xhr = new XMLHttpRequest(); xhr.open("GET", "/words"); xhr.send();
      try { xhr.send(); } catch { out.textContent = "refused"; }`,
  };
  for (const [which, code] of Object.entries(requests)) {
    test(`an XMLHttpRequest ${which} has ended`, async () => {
      const page = await pageThat(code);
      const { receipt } = await page.run({
        type: "click",
        target: { text: "Go" },
        settle: { maxMs: 30_000 },
      });
      expect(receipt?.settled).toBe(true);
      expect(receipt?.requests?.length).toBeGreaterThan(0);
      for (const request of receipt?.requests ?? []) expect(request.status).toBeDefined();
      const idle = await page.run({ type: "wait_for", idle: true, maxMs: 30_000 });
      expect(idle).toMatchObject({ ok: true });
    });
  }
});

test("[ARC-021] wait_for finds text inside shadow roots, as far as it is displayed", async () => {
  const page = await browser.open(`<x-outer></x-outer><script>
    const outer = document.querySelector("x-outer").attachShadow({ mode: "open" });
    outer.innerHTML = "<x-inner></x-inner>";
    const inner = outer.firstChild.attachShadow({ mode: "open" });
    inner.innerHTML = "bare <b>words</b><style>p { color: red }</style><p hidden>not yet</p>";
    setTimeout(() => inner.append(Object.assign(document.createElement("p"), { textContent: "It is saved" })), 200);
  </script>`);
  expect(await page.run({ type: "wait_for", text: "It is saved", maxMs: 3_000 })).toMatchObject({ ok: true });
  expect(await page.run({ type: "wait_for", text: "bare words", maxMs: 500 })).toMatchObject({ ok: true });
  for (const text of ["not yet", "color: red"])
    expect(await page.run({ type: "wait_for", text, maxMs: 100 })).toMatchObject({ code: "timeout" });
});
