/**
 * Makes the pictures of the dashboard in README.md: one in each theme, and a tour of 20 seconds. A real hub with its
 * demo, an agent that uses the demo over HTTP, and a person in Chromium who finds out why it failed. Run
 * `npm run build` before.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { animatedWebp } from "./lib/animated-webp.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { root } from "./lib/run.mjs";

const OUT = join(root, "docs/images");
const SIZE = { width: 1_280, height: 760 };
/** Below the pictures of the tour. */
const CAPTION_HEIGHT = 44;

const home = mkdtempSync(join(tmpdir(), "debug-bridge-tour-"));
const hub = await startHub();
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
});
try {
  mkdirSync(OUT, { recursive: true });
  const demo = await (await browser.newContext({ viewport: { width: 1_000, height: 700 } })).newPage();
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(`${hub.ready.hub}/#token=${hub.token}`);
  const frames = [];
  const shoot = async (caption, ms) => {
    await page.waitForTimeout(500);
    frames.push({ webp: await asWebp(await page.screenshot(), caption), ms });
  };

  await page.getByText("Nothing is connected yet").waitFor();
  await shoot("The dashboard says how to connect an app, a Chrome, or an agent.", 2_000);
  await demo.goto(hub.ready.demo);
  await page.getByRole("link", { name: "Corner shop" }).waitFor();
  await shoot("An app connects. Each session shows its state, its errors, and who works in it.", 2_000);
  await page.getByRole("link", { name: "Corner shop" }).click();
  await page.getByRole("region", { name: "What can be read and used" }).waitFor();
  await act({ type: "click", target: { text: "Add Green tea" } });
  await page.getByRole("row", { name: /click "Add Green tea"/ }).waitFor();
  await shoot("An agent clicks. What it caused is listed below its click; the page is beside it.", 3_000);
  await act({ type: "click", target: { text: "Apply" } });
  await page
    .getByRole("row", { name: /TypeError/ })
    .first()
    .waitFor();
  await shoot("The next click fails: one request and two errors.", 2_500);
  await page
    .getByRole("row", { name: /TypeError/ })
    .first()
    .click();
  await page.getByText("coupon.discount.percent").waitFor();
  await shoot("The error: the line as it was written, and the way back to its cause.", 3_500);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForTimeout(300);
    writeFileSync(join(OUT, `dashboard-${colorScheme}.webp`), await asWebp(await page.screenshot()));
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page
    .getByRole("row", { name: /error GET/ })
    .first()
    .click();
  await page.getByText("404 Not Found").first().waitFor();
  await shoot("The request that failed before it.", 2_500);
  await page.getByRole("button", { name: "Share as a file" }).click();
  await page.getByRole("button", { name: "Save the file" }).waitFor();
  await shoot("All of it in one file for a colleague, with a list of what is in it.", 2_500);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await shoot("Everything is a key away: Ctrl+K.", 2_000);
  writeFileSync(join(OUT, "tour.webp"), animatedWebp(frames));
} finally {
  await browser.close();
  hub.process.kill();
  await once(hub.process, "exit");
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** A command of an agent. */
async function act(command) {
  const response = await fetch(`${hub.ready.hub}/v1/sessions/demo/commands`, {
    method: "POST",
    headers: { authorization: `Bearer ${hub.token}`, "x-debug-bridge-client": "claude" },
    body: JSON.stringify(command),
  });
  const { success, message } = await response.json();
  if (!success) throw new Error(message);
}

/** A picture as WebP, with a line below it if there is one. */
async function asWebp(png, caption) {
  const page = await browser.newPage();
  try {
    const base64 = await page.evaluate(
      async ({ data, text, height }) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const below = text === undefined ? 0 : height;
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height + below);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        context.fillStyle = "#1f2328";
        context.fillRect(0, bitmap.height, bitmap.width, below);
        context.fillStyle = "#fff";
        context.font = "18px system-ui, sans-serif";
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(text ?? "", bitmap.width / 2, bitmap.height + below / 2);
        const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      },
      { data: png.toString("base64"), text: caption, height: CAPTION_HEIGHT },
    );
    return Buffer.from(base64, "base64");
  } finally {
    await page.close();
  }
}

async function startHub() {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const main = join(root, "packages/cli/dist/main.js");
  const child = spawn(process.execPath, [main, "up", "--json", "--demo", "--home", home, ...ports], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(line);
  return { process: child, ready, token: readFileSync(ready.tokenFile, "utf8").trim() };
}
