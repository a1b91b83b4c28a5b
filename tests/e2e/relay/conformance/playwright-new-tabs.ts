import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlaywrightCases } from "./case.js";

const TALL = "<button>Press</button><div style='height: 5000px'></div>";
/** How many frames a page gets in half a second. */
const FRAMES = `new Promise((resolve) => {
  let frames = 0;
  const count = () => { frames++; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  setTimeout(() => resolve(frames), 500);
})`;

/** A folder with two files, one of them in a separate folder. */
function aFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "debug-bridge-upload-")), "things");
  mkdirSync(join(folder, "inner"), { recursive: true });
  writeFileSync(join(folder, "one.txt"), "1");
  writeFileSync(join(folder, "inner", "two.txt"), "2");
  return folder;
}

/** What clients do in tabs that they open, which nobody looks at. */
export const newTabCases: PlaywrightCases = {
  "frames after a scroll": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/"));
    await page.setContent(TALL);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction("scrollY > 0");
    return Number(await page.evaluate(FRAMES)) > 10;
  },
  "frames after clicks": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/"));
    for (let i = 0; i < 3; i++) await page.click("#count");
    return [await page.textContent("#count"), Number(await page.evaluate(FRAMES)) > 10];
  },
  "a client's own screencast": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/"));
    const cdp = await context.newCDPSession(page);
    const frames: number[] = [];
    cdp.on("Page.screencastFrame", ({ data, sessionId }) => {
      frames.push(data.length);
      void cdp.send("Page.screencastFrameAck", { sessionId });
    });
    await cdp.send("Page.startScreencast", { format: "jpeg", quality: 80, maxWidth: 400, maxHeight: 300 });
    await page.click("#count");
    await page.waitForTimeout(200);
    await cdp.send("Page.stopScreencast");
    await page.waitForTimeout(100);
    const seen = frames.length;
    await page.mouse.wheel(0, 10);
    await page.click("#count");
    return [seen > 0, frames.length === seen, frames.every((length) => length > 500)];
  },
  "screenshot of a page that does not change": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/second"));
    await page.waitForTimeout(300);
    return (await page.screenshot()).length > 500;
  },
  "upload of a folder": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/"));
    await page.setContent("<input type='file' webkitdirectory>");
    await page.setInputFiles("input", aFolder());
    return page.evaluate(
      "[...document.querySelector('input').files].map((file) => file.webkitRelativePath).sort()",
    );
  },
  "goto what is not an address": async ({ context }) => (await context.newPage()).goto("not an address"),
  "nothing of others in the page's storage": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/"));
    await page.click("#count");
    return page.evaluate("[Object.keys(sessionStorage), Object.keys(localStorage)]");
  },
};
