/**
 * Makes the pictures of the extension's listing in the Chrome Web Store, 1280 by 800, from those of the documentation.
 * `node scripts/store-pictures.mjs`
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureChromium } from "./lib/chromium.mjs";
import { root } from "./lib/run.mjs";

const PICTURES = {
  "1-panel": [
    "Talk to an agent about the page",
    ["chat-pick-light", "chat-approval-light", "chat-answer-light"],
  ],
  "2-chat": ["See each step that it takes", ["chat-wide-light"]],
  "3-dashboard": ["One timeline of app, browser and agent", ["dashboard-light"]],
};

const inline = (name) =>
  `data:image/webp;base64,${readFileSync(join(root, `docs/images/${name}.webp`)).toString("base64")}`;

const STYLE = `
  body { margin: 0; height: 800px; display: flex; flex-direction: column; background: #f4f5f7;
    font: 600 40px system-ui, sans-serif; color: #1c2128; }
  h1 { font-size: 44px; margin: 44px 56px 32px; }
  div { display: flex; gap: 32px; justify-content: center; align-items: flex-start; flex: 1; min-height: 0; padding: 0 56px; }
  img { max-width: 100%; max-height: 640px; border: 1px solid #d0d4da; border-radius: 10px; min-width: 0; object-fit: contain;
    object-position: top; }
  .many img { height: 640px; }`;

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
for (const [file, [title, names]] of Object.entries(PICTURES)) {
  const images = names.map((name) => `<img src="${inline(name)}">`).join("");
  const kind = names.length > 1 ? ' class="many"' : "";
  await page.setContent(`<style>${STYLE}</style><h1>${title}</h1><div${kind}>${images}</div>`);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path: join(root, `packages/extension/store/${file}.png`) });
}
await browser.close();
