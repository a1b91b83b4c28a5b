import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import jpeg from "jpeg-js";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { png } from "../../support/chrome/png.js";
import { mcpClient } from "../mcp/client.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const SIZE = { width: 640, height: 480 };
const BOX = "position:absolute;width:100px;height:100px;top:200px";

/** What it shows is known by its place, below where it is scrolled to: 200 px. */
const PAGE = (hub: string): string => `<!doctype html><title>Shapes</title>
<style>body { margin: 0; height: 3000px } @keyframes come { from { opacity: 0 } } #red { background: rgb(200, 0, 0); animation: come 100s }</style>
<script src="${hub}/sdk.js" data-session="shapes"></script>
<div id="red" style="${BOX};left:0;animation-duration:1ms"></div>
<canvas id="canvas" width="100" height="100" style="${BOX};left:100px"></canvas>
<img src="/grey.png" style="${BOX};left:200px">
<div id="host" style="${BOX};left:300px"></div>
<div id="scroller" style="${BOX};left:400px;overflow:auto"><div style="height:100px"></div><div style="height:500px;background:rgb(0, 0, 200)"></div></div>
<img src="http://127.0.0.1:1/none.png" style="${BOX};left:500px">
<div data-private style="${BOX};left:0;top:500px">the secret of the house</div>
<input id="name" style="position:absolute;left:0;top:320px;width:300px;height:40px;font:30px monospace;border:0">
<input id="code" name="password" style="position:absolute;left:0;top:380px;width:300px;height:40px;font:30px monospace;border:0">
<input id="password" type="password" style="position:absolute;left:0;top:440px;width:300px;height:40px;font:30px monospace;border:0">
<button style="position:absolute;left:400px;top:400px;width:80px;height:30px;background:rgb(0, 200, 200);border:0">Go</button>
<script>
  const drawing = canvas.getContext("2d"); drawing.fillStyle = "rgb(0, 160, 0)"; drawing.fillRect(0, 0, 100, 100);
  const sheet = new CSSStyleSheet(); sheet.replaceSync("b { display: block; width: 100px; height: 100px; background: rgb(200, 200, 0) }");
  const root = host.attachShadow({ mode: "open" }); root.adoptedStyleSheets = [sheet]; root.append(document.createElement("b"));
  scroller.scrollTop = 150;
</script>`;

interface Picture {
  readonly bytes: Buffer;
  readonly size: readonly [width: number, height: number];
  at(x: number, y: number): number[];
  /** How many dark pixels a part has: what is written there. */
  ink(x: number, y: number, width: number, height: number): number;
}

function read(data: string | Buffer): Picture {
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : data;
  const { width, height, data: pixels } = jpeg.decode(bytes);
  const at = (x: number, y: number): number[] => [
    ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
  ];
  return {
    ...{ bytes, at, size: [width, height] },
    ink(left, top, w, h) {
      let dark = 0;
      for (let y = top; y < top + h; y++)
        for (let x = left; x < left + w; x++) if (at(x, y).every((value) => value < 128)) dark++;
      return dark;
    },
  };
}

const isNear = (colour: readonly number[], wanted: readonly number[]): boolean =>
  wanted.every((value, i) => Math.abs(value - (colour[i] ?? 0)) < 30);

/** A hub, and an app with the SDK in a browser that it knows nothing of. */
async function open(env: Record<string, string> = {}): Promise<{ page: Page; hub: string; home: string }> {
  const home = temporaryFolder();
  const { ready } = await startUp([], home, env);
  const server = createServer((request, response) => {
    const isImage = request.url === "/grey.png";
    response.setHeader("content-type", isImage ? "image/png" : "text/html");
    response.end(isImage ? png(10, 10, 90) : PAGE(ready.hub));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const context = await browser.newContext({ viewport: SIZE });
  onTestFinished(async () => {
    await context.close();
    server.close();
  });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(() => scrollTo(0, 200));
  const headers = { authorization: `Bearer ${readFileSync(ready.tokenFile, "utf8").trim()}` };
  await until(async () =>
    (await (await fetch(`${ready.hub}/v1/sessions`, { headers })).text()).includes('"shapes"'),
  );
  return { page, hub: ready.hub, home };
}

describe("the picture of an app that no browser of ours shows", () => {
  it("[ARC-024] is drawn from its DOM, says so, and shows no secret", async () => {
    const { page, hub, home } = await open();
    const mcp = await mcpClient(["--hub", hub, "--home", home]);
    const take = async (more: Record<string, unknown> = {}) => {
      const { text, images, isError } = await mcp.call("screenshot", {
        session: "shapes",
        quality: 90,
        ...more,
      });
      expect(isError, text).toBe(false);
      expect(text).toMatch(/drawn from the DOM by another Chrome, not taken from the screen/);
      return { text, ...read(images[0]?.data ?? "") };
    };
    await page.fill("#name", "Ada");
    await page.fill("#code", "iii");
    await page.fill("#password", "l");
    await page.evaluate(() => scrollTo(0, 200));
    const first = await take();
    expect(first.size).toEqual([SIZE.width, SIZE.height]);
    expect(first.text).toContain("could not be read are boxes (1)");
    const colours = { red: [200, 0, 0], canvas: [0, 160, 0], image: [90, 90, 90], shadow: [200, 200, 0] };
    Object.entries({ ...colours, scrolled: [0, 0, 200] }).forEach(([name, colour], i) => {
      expect(isNear(first.at(i * 100 + 50, 20), colour), `${name}: ${first.at(i * 100 + 50, 20)}`).toBe(true);
    });
    // The field of a name shows more ink with more letters; those of secrets look the same whatever they hold.
    expect(first.ink(0, 120, 300, 40)).toBeGreaterThan(50);
    await page.fill("#code", "WWWWWWWWWW");
    await page.fill("#password", "correct horse");
    await page.evaluate(() => scrollTo(0, 200));
    const second = await take();
    expect(second.bytes.equals(first.bytes)).toBe(true);
    await page.fill("#name", "Ada Lovelace");
    await page.evaluate(() => scrollTo(0, 200));
    expect((await take()).ink(0, 120, 300, 40)).toBeGreaterThan(first.ink(0, 120, 300, 40) * 2);

    const button = await take({ target: { text: "Go" } });
    expect(button.size).toEqual([80, 30]);
    expect(isNear(button.at(5, 5), [0, 200, 200])).toBe(true);
    // The left edge of the label on the button.
    expect(first.at(401, 206)[0]).toBeLessThan(60);
    expect((await take({ labels: true })).at(401, 206)[0]).toBeGreaterThan(150);
    const whole = await take({ fullPage: true });
    expect(whole.size[1]).toBe(3000);
    expect(isNear(whole.at(50, 250), [200, 0, 0])).toBe(true);

    const out = join(home, "app.jpg");
    const args = ["screenshot", "shapes", "--out", out, "--hub", hub, "--home", home];
    const json = JSON.parse((await runCli([...args, "--json"])).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ file: out, rendering: "dom", leftOut: 1 });
    expect(isNear(read(readFileSync(out)).at(50, 20), [200, 0, 0])).toBe(true);
    const plain = await runCli(args);
    expect(plain).toMatchObject({ code: 0, stdout: `${out}\n` });
    expect(plain.stderr).toContain("drawn from the DOM");
  });

  it("without a Chrome to draw it, says what to do instead", async () => {
    const { hub, home } = await open({ CHROME_PATH: "/nonexistent/chrome" });
    const { code, stderr } = await runCli([
      ...["screenshot", "shapes", "--out", join(home, "app.jpg")],
      ...["--hub", hub, "--home", home],
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /could not be rendered: CHROME_PATH is .*Use observe, share the tab with the extension/s,
    );
  });
});
