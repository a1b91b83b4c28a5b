import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { bundleScript, root } from "./browser.js";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("an app does not notice the capture", () => {
  test("[ARC-043] what Vue tracks is not tracked by logging it, and getters do not run", async () => {
    const vue = await bundleScript(`${root}tests/e2e/page/fixtures/vue-logging.ts`, "fixture", {
      define: {
        "process.env.NODE_ENV": '"development"',
        __VUE_OPTIONS_API__: "true",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
      },
    });
    const page = await browser.open("");
    await page.page.addScriptTag({ content: vue });
    expect(await page.page.evaluate("counts")).toEqual({ effects: 1, getters: 0, serialised: 0 });
    expect((await page.messages("console")).map(({ args }) => args)).toEqual([
      ["state", '{"name":"Ada","list":[{"n":1}]}'],
      ["model", '{"plain":1,"total":"(getter)"}'],
    ]);
  });

  test("[ARC-043] an app with its own stack traces loses no line and no error", async () => {
    const page = await browser.open("");
    await page.page.evaluate(() => {
      Error.prepareStackTrace = (_, frames) => frames;
      console.log("one");
      console.error(new Error("two"));
      Error.prepareStackTrace = () => {
        throw new Error("broken");
      };
      console.log("three");
      setTimeout(() => {
        throw new Error("four");
      });
    });
    const error = await page.waitForMessage("error");
    expect(error.message).toContain("four");
    expect((await page.messages("console")).map(({ args }) => args[0])).toEqual([
      "one",
      "Error: two",
      "three",
    ]);
  });

  test("[ARC-043] instances of a hooked constructor have it as their constructor, until it is unhooked", async () => {
    const page = await browser.open("");
    const same = await page.page.evaluate(() => {
      class Own extends WebSocket {}
      const made = [
        new WebSocket("ws://127.0.0.1:9"),
        new EventSource("/api/none"),
        new Own("ws://127.0.0.1:9"),
      ];
      for (const each of made) each.close();
      const own = made[2]?.constructor === Own && made[2] instanceof WebSocket;
      return [made[0]?.constructor === WebSocket, made[1]?.constructor === EventSource, own];
    });
    expect(same).toEqual([true, true, true]);
    expect(await page.page.evaluate("engine.stop(); WebSocket.prototype.constructor === WebSocket")).toBe(
      true,
    );
  });

  test("[ARC-025] a request object that is used again is reported once each time, and collects nothing", async () => {
    const page = await browser.open("");
    await page.page.route("http://app.test/api/**", (route) => route.fulfill({ json: {} }));
    const added = await page.page.evaluate(async () => {
      const xhr = new XMLHttpRequest();
      let listeners = 0;
      const add = xhr.addEventListener.bind(xhr) as (...args: unknown[]) => void;
      xhr.addEventListener = (...args: unknown[]) => {
        listeners++;
        add(...args);
      };
      const counts: number[] = [];
      for (const url of ["/api/a", "/api/b", "/api/c"]) {
        xhr.open("GET", url);
        await new Promise((resolve) => {
          xhr.onloadend = resolve;
          xhr.send();
        });
        counts.push(listeners);
      }
      xhr.open("GET", "/api/d");
      xhr.send();
      xhr.abort();
      return counts;
    });
    expect(added).toEqual([4, 4, 4]);
    expect((await page.messages("network")).map(({ phase, url }) => `${phase} ${url.at(-1)}`)).toEqual(
      ["a", "b", "c"]
        .flatMap((name) => [`request ${name}`, `response ${name}`])
        .concat("request d", "failed d"),
    );
  });
});

describe("bodies", () => {
  let server: Server;
  const closed: string[] = [];
  let origin = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      const name = (request.url ?? "").slice(1);
      response.on("close", () => closed.push(name));
      const types: Record<string, string> = { "": "text/html", events: "text/event-stream" };
      response.writeHead(200, { "content-type": types[name] ?? "text/plain" });
      if (name === "") {
        response.end();
        return;
      }
      if (name === "long") {
        for (let i = 0; i < 200; i++) response.write("z".repeat(1_024));
        return;
      }
      response.write("data: one\n\n");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  // Nothing of the first is read, the second until enough is known, the third until its time is over.
  test.each([
    ["events", 0],
    ["long", 1],
    ["endless", 1],
  ])("[ARC-025] a stream that the app cancels is closed on the server (%s)", async (name, count) => {
    const page = await browser.open("", { captureBodies: true });
    await page.page.goto(origin);
    await page.page.evaluate(async (url) => {
      const response = await fetch(url);
      const reader = (response.body as ReadableStream).getReader();
      await reader.read();
      await reader.cancel();
    }, `${origin}/${name}`);
    const response = await page.waitForMessage("network", ({ phase }) => phase === "response");
    expect(response.status).toBe(200);
    await until(() => closed.includes(name));
    const bodies = (await page.messages("network")).filter(({ phase }) => phase === "message");
    expect(bodies).toHaveLength(count);
  });
});
