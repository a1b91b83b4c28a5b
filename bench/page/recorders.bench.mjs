/**
 * What capture costs an app that inserts elements, by their number: the page alone, with our engine and all capture, with
 * @rrweb/record, and with the published SDK debug-bridge-browser. In turns; the lowest of each counts.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { WebSocketServer } from "ws";
import { figure } from "../lib/figure.mjs";
import { peerFolder } from "../lib/peers.mjs";
import { series } from "../lib/series.mjs";
import { insert, openPage, root, withBrowser } from "./lib.mjs";

const SIZES = [3_000, 6_000, 12_000, 30_000];
const ROUNDS = 3;

const rrweb = readFileSync(join(await peerFolder("@rrweb/record"), "dist/record.umd.min.cjs"), "utf8");
const published = await publishedScript();
// The page of the published SDK comes from this machine: Chromium lets no other page connect to it.
const server = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><body><h1>List</h1></body>"),
);
const hub = new WebSocketServer({ server });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const host = `127.0.0.1:${server.address().port}`;
const address = `ws://${host}/debug?role=app&sessionId=s`;

const subjects = {
  alone: (browser) => openPage(browser, "<h1>List</h1>", { engine: false }),
  ours: (browser) => openPage(browser, "<h1>List</h1>"),
  async rrweb(browser) {
    const page = await openPage(browser, "<h1>List</h1>", { engine: false });
    await page.addScriptTag({ content: rrweb });
    await page.evaluate(() => {
      globalThis.events = [];
      globalThis.rrwebRecord.record({ emit: (event) => globalThis.events.push(event) });
    });
    return page;
  },
  async "debug-bridge-browser"(browser) {
    const page = await openPage(browser, "<h1>List</h1>", { engine: false });
    await page.goto(`http://${host}/`);
    await page.evaluate((url) => {
      globalThis.bridgeOptions = { url, sessionId: "s", appName: "bench" };
    }, address);
    const connected = new Promise((resolve) => hub.once("connection", resolve));
    await page.addScriptTag({ content: published });
    await connected;
    return page;
  },
};

await withBrowser(async (browser) => {
  const lines = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (const size of SIZES) {
    const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, open] of Object.entries(subjects)) {
        const page = await open(browser);
        await page.waitForTimeout(300);
        times[name].push(await page.evaluate(insert, size / 3));
        await page.close();
      }
    for (const [name, all] of Object.entries(times)) lines[name].push([size, Math.min(...all)]);
    report(size, lines);
  }
  series({ name: "Cost of capture over inserted elements", x: "elements", y: "ms", lines });
});
reportSizes();
for (const client of hub.clients) client.terminate();
hub.close();
server.close();

function report(size, lines) {
  const at = (name) => lines[name].at(-1)[1];
  const note = Object.keys(lines).map((name) => `${name} ${at(name).toFixed(1)} ms`);
  const elements = `inserting ${size.toLocaleString("en")} elements`;
  figure({
    name: `${elements}, ours to the page alone`,
    ...{ value: at("ours") / at("alone"), unit: "×", limit: size >= 12_000 ? 1.25 : undefined },
    note: note.join(", "),
  });
  const faster = Math.min(at("rrweb"), at("debug-bridge-browser"));
  figure({ name: `${elements}, ours to the cheaper of the others`, value: at("ours") / faster, unit: "×" });
}

/** What each adds to a page. */
function reportSizes() {
  const kb = (text) => gzipSync(text, { level: 9 }).length / 1_024;
  const own = kb(readFileSync(join(root, "packages/browser/dist/sdk.js")));
  const others = { rrweb: kb(rrweb), "debug-bridge-browser": kb(published) };
  figure({
    name: "SDK in every page, min+gzip, to the smaller of the others",
    ...{ value: own / Math.min(...Object.values(others)), unit: "×" },
    note: `ours ${own.toFixed(1)} KB, ${Object.entries(others)
      .map(([name, size]) => `${name} ${size.toFixed(1)} KB`)
      .join(", ")}`,
  });
}

/** The published SDK as one minified script that connects. */
async function publishedScript() {
  const entry = join(root, "tests/libraries/published-sdk.js");
  const output = await build({
    configFile: false,
    root,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      lib: { entry, name: "Published", formats: ["iife"], fileName: "sdk" },
    },
  });
  return [output].flat()[0].output[0].code;
}
