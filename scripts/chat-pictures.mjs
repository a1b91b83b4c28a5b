/**
 * Makes the pictures of docs/chat.md: a real hub with its demo, the built extension in Chromium, and Codex, whose model
 * says what is written here. Run `npm run build` before.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { chromium } from "playwright-core";
import { root } from "./lib/run.mjs";

const OUT = join(root, "docs/images");

const folder = mkdtempSync(join(tmpdir(), "debug-bridge-pictures-"));
const home = join(folder, "home");

const ANSWER = `The shop asks an address that does not exist, and does not check the answer:

1. **Apply** sends \`GET /demo/api/coupons/SPRING\`, which answers **404**.
2. The page reads \`discount.percent\` of that answer, and fails.

\`\`\`js
// shop.js
const response = await fetch(address);
if (!response.ok) return show("This coupon is not known");
\`\`\`

The console shows both errors at the click.`;

/** What the model says, one for each request. */
const SCRIPT = [
  { tool: "observe", input: {} },
  { tool: "screenshot", input: { quality: 70 } },
  { tool: "act", input: { type: "type", target: { selector: "input[name=code]" }, text: "SPRING" } },
  { tool: "act", input: { type: "click", target: { role: "button", name: "Apply" } } },
  { tool: "logs", input: {} },
  { text: ANSWER },
];

const model = await startModel();
const hub = await startHub(`http://127.0.0.1:${model.address().port}/v1`);
const browser = await startBrowser();
try {
  mkdirSync(OUT, { recursive: true });
  const tab = await browser.newPage();
  await tab.goto(`${hub.ready.hub}/demo/`);
  await tab.getByRole("heading", { name: "Goods" }).waitFor();
  const panel = await browser.newPage();
  await panel.goto(`chrome-extension://${EXTENSION_ID}/panel.html`);
  await panel.getByLabel("Works in").selectOption({ label: "Corner shop (tab)" });
  await panel.getByRole("radio", { name: "Codex" }).check();

  // The person shows what they mean.
  await panel.getByRole("button", { name: "Pick an element" }).click();
  await panel.getByText("Click an element in").waitFor();
  const box = await tab.getByRole("button", { name: "Apply" }).boundingBox();
  await tab.mouse.move(box.x + 9, box.y + 9);
  await tab.mouse.click(box.x + 10, box.y + 10);
  await panel.locator(".composer .chip").waitFor();
  const message = panel.getByRole("textbox", { name: "Message" });
  await message.fill("Why does this not accept the coupon SPRING?");
  await shoot(panel, "chat-pick");

  await message.press("Enter");
  await panel.getByRole("button", { name: "Allow once" }).waitFor();
  await settled(panel);
  await shoot(panel, "chat-approval");
  await panel.getByRole("button", { name: "Allow once" }).click();
  await panel.getByRole("button", { name: "Allow once" }).waitFor({ state: "detached" });
  for (;;) {
    const more = panel.getByRole("button", { name: "Allow once" });
    const end = panel.getByText("both errors at the click");
    await more.or(end).first().waitFor();
    if ((await more.count()) === 0) break;
    await more.click();
    await more.waitFor({ state: "detached" });
  }
  await settled(panel);
  await shoot(panel, "chat-answer");
  const page = await browser.newPage();
  await page.goto(`${hub.ready.hub}/chat${new URL(panel.url()).hash}&token=${hub.token}`);
  await page.getByText("both errors at the click").waitFor();
  await settled(page);
  await shoot(page, "chat-wide", { width: 1_100, height: 800 });
} finally {
  await browser.close();
  hub.process.kill();
  await once(hub.process, "exit");
  model.closeAllConnections();
  model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Waits until pictures and colours of code are there. */
async function settled(page) {
  await page.locator(".thumbnail:disabled").first().waitFor({ state: "detached" });
  await page.waitForTimeout(400);
}

/** A picture in both themes; in the width of the narrowest panel if no other is given. */
async function shoot(page, name, size = { width: 320, height: 640 }) {
  await page.bringToFront();
  await page.setViewportSize(size);
  await page.locator(".turns").evaluateAll((all) => {
    for (const each of all) each.scrollTop = each.scrollHeight;
  });
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForTimeout(200);
    const png = await page.screenshot();
    writeFileSync(join(OUT, `${name}-${colorScheme}.webp`), await asWebp(png));
  }
}

async function asWebp(png) {
  const page = await browser.newPage();
  try {
    const base64 = await page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    }, png.toString("base64"));
    return Buffer.from(base64, "base64");
  } finally {
    await page.close();
  }
}

async function startHub(modelUrl) {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const child = spawn(
    process.execPath,
    [join(root, "packages/cli/dist/main.js"), "up", "--json", "--demo", "--home", home, ...ports],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        CODEX_HOME: codexHome(modelUrl),
        PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}`,
      },
    },
  );
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(line);
  return { process: child, ready, token: readFileSync(ready.tokenFile, "utf8").trim() };
}

/** Chromium with the extension, which is paired with the hub and shares all tabs. */
async function startBrowser() {
  const unpacked = join(folder, "extension");
  cpSync(join(root, "packages/extension/dist/unpacked"), unpacked, { recursive: true });
  const portOf = (url) => Number(new URL(url).port);
  const { console: consoleUrl, relay } = hub.ready;
  const config = {
    hub: { address: "ws://127.0.0.1", consolePort: portOf(consoleUrl), relayPort: portOf(relay) },
    pairingKey: readFileSync(join(home, "pairing-key"), "utf8").trim(),
    share: "all",
  };
  writeFileSync(join(unpacked, "config.json"), JSON.stringify(config));
  return chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
    headless: false,
    // The tab has the size of its window, as for a person.
    viewport: null,
    args: [
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"],
      "--window-size=1000,760",
      ...[`--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`],
    ],
  });
}

/** A home of Codex whose model is ours. */
function codexHome(modelUrl) {
  const codex = join(folder, "codex");
  mkdirSync(codex, { recursive: true });
  const provider = `name = "stand-in"\nbase_url = "${modelUrl}"\nwire_api = "responses"\n`;
  const config = `model = "gpt-5.5"\nmodel_provider = "stand-in"\n[model_providers.stand-in]\n${provider}`;
  writeFileSync(join(codex, "config.toml"), config);
  return codex;
}

/** A model that says what is in the script, as the API of OpenAI streams it. */
async function startModel() {
  let at = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(404).end();
      const turn = SCRIPT[at++] ?? { text: "Done." };
      const item = itemOf(turn, at);
      const usage = { input_tokens: 6_200 + 900 * at, output_tokens: 80, total_tokens: 6_280 + 900 * at };
      const about = { id: `r${at}`, object: "response", created_at: 1, model: "m" };
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of [
        { type: "response.created", response: about },
        { type: "response.output_item.added", output_index: 0, item },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { ...about, status: "completed", output: [item], usage } },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function itemOf({ tool, input, text }, at) {
  if (tool === undefined) {
    const content = [{ type: "output_text", text, annotations: [] }];
    return { type: "message", id: `m${at}`, role: "assistant", status: "completed", content };
  }
  const call = { call_id: `c${at}`, namespace: "mcp__debug_bridge", name: tool };
  return {
    type: "function_call",
    id: `f${at}`,
    status: "completed",
    ...call,
    arguments: JSON.stringify(input),
  };
}
