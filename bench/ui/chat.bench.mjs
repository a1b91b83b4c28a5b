/**
 * The page at /chat in the real Chromium: how fast a conversation of 10,000 messages opens and scrolls, and how long a
 * piece of an answer takes from the transcript to the screen.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startHub } from "@debug-bridge/server";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure, median } from "../lib/figure.mjs";

const TURNS = 5_000;
const TOKENS = 400;
const ROUNDS = 7;
const CHAT = "01JAB3W7ZZ0000000000000001";
const home = mkdtempSync(join(tmpdir(), "debug-bridge-bench-chat-"));
writeConversation(join(home, "chats", CHAT));

const turns = [];
const provider = {
  ...{ name: "test", title: "Test agent", problem: () => undefined },
  start(_request, onEvent) {
    let end = () => {};
    const done = new Promise((resolve) => {
      end = () => resolve({ outcome: "done" });
    });
    turns.push({ emit: onEvent, end });
    return { pid: undefined, done, stop: async () => end() };
  },
};
const hub = await startHub({
  ...{ port: 0, consolePort: 0, relayPort: 0, home, chatProviders: [provider] },
  assets: new Map(["chat.html", "chat.js", "chat-highlighter.js", "chat.css"].map(asset)),
});
const browser = await chromium.launch(CHROMIUM);
const page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
await page.goto(`${hub.url}/chat#token=${hub.token}`);
await page.locator('.chat-app[data-connection="live"]').waitFor();
await page.getByRole("button", { name: "Long chat" }).waitFor();

await measureOpening();
await measureScrolling();
await measureTokens();

await browser.close();
await hub.close();
rmSync(home, { recursive: true, force: true });

async function measureOpening() {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.getByRole("button", { name: "New chat" }).click();
    await page.locator(".turn").first().waitFor({ state: "detached" });
    times.push(
      await page.evaluate(
        (last) =>
          new Promise((resolve) => {
            const button = [...document.querySelectorAll("nav li button")].find((each) =>
              each.textContent.startsWith("Long chat"),
            );
            const started = performance.now();
            const look = () => {
              const shown = [...document.querySelectorAll(".turn .markdown")].some((each) =>
                each.textContent.includes(last),
              );
              if (shown) requestAnimationFrame(() => resolve(performance.now() - started));
              else requestAnimationFrame(look);
            };
            button.click();
            look();
          }),
        `Answer ${TURNS - 1} `,
      ),
    );
  }
  figure({
    ...{
      name: "chat: open 10,000 messages, newest on the screen",
      value: median(times),
      unit: "ms",
      limit: 200,
    },
    note: `slowest of ${ROUNDS}: ${Math.round(Math.max(...times))} ms, the hub included`,
  });
}

/** Scrolls up through several thousand pixels per second, across parts that have to be loaded. */
async function measureScrolling() {
  const { longest, loaded } = await page.evaluate(async () => {
    const tasks = [];
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map((each) => each.duration)),
    );
    observer.observe({ type: "longtask" });
    const scroller = document.querySelector(".turns");
    const before = scroller.scrollHeight;
    for (let i = 0; i < 600; i++) {
      scroller.scrollTop -= 300;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    observer.disconnect();
    return { longest: Math.max(0, ...tasks), loaded: scroller.scrollHeight - before };
  });
  figure({
    ...{ name: "chat: longest task while scrolling", value: longest, unit: "ms", limit: 50 },
    note: `0: none reached 50 ms; ${loaded} pixels of earlier messages were loaded meanwhile`,
  });
}

async function measureTokens() {
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByLabel("Message").fill("Count");
  await page.getByLabel("Message").press("Enter");
  while (turns.length === 0) await pause(5);
  await page.evaluate(() => {
    globalThis.shown = new Map();
    const look = () => {
      const text = [...document.querySelectorAll(".turn .markdown")].at(-1)?.textContent ?? "";
      // Painted with the frame that follows.
      requestAnimationFrame(() => {
        const now = Date.now();
        for (const [token] of text.matchAll(/token\d+x/g))
          if (!globalThis.shown.has(token)) globalThis.shown.set(token, now);
      });
    };
    new MutationObserver(look).observe(document.querySelector(".turns"), {
      ...{ subtree: true, childList: true, characterData: true },
    });
  });
  for (let i = 0; i < TOKENS; i++) {
    turns[0].emit({ type: "delta", text: i % 20 === 19 ? `token${i}x.\n\n` : `token${i}x ` });
    await pause(45 + (i % 13));
  }
  turns[0].end();
  await page.getByRole("button", { name: "Send" }).waitFor();
  const shown = new Map(await page.evaluate(() => [...globalThis.shown]));
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("chat");
  const response = await fetch(`${hub.url}/v1/chats/${id}/transcript`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  const { events } = await response.json();
  const delays = events.flatMap(({ event, timestamp, payload }) => {
    const [token] = event === "run.delta" ? (/token\d+x/.exec(payload.text) ?? []) : [];
    return token && shown.has(token) ? [shown.get(token) - Date.parse(timestamp)] : [];
  });
  delays.sort((a, b) => a - b);
  figure({
    ...{ name: "chat: a piece of the answer on the screen (p99)", unit: "ms", limit: 30 },
    value: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN,
    note: `median ${median(delays)} ms of ${delays.length} pieces, from the transcript's time to the frame`,
  });
}

function asset(name) {
  const type = { html: "text/html", js: "text/javascript", css: "text/css" }[name.split(".")[1]];
  const file = fileURLToPath(import.meta.resolve(`@debug-bridge/ui/page/${name}`));
  return [name === "chat.html" ? "/chat" : `/${name}`, { file, type: `${type}; charset=utf-8` }];
}

function writeConversation(folder) {
  const timestamp = new Date().toISOString();
  const lines = [];
  const add = (runId, event, payload) =>
    lines.push(
      JSON.stringify({ event, runId, sessionId: CHAT, sequence: lines.length + 1, timestamp, payload }),
    );
  for (let i = 0; i < TURNS; i++) {
    const runId = `01JAB3W7ZZ${String(i).padStart(16, "0")}`;
    add(runId, "run.started", { message: `Question ${i}`, provider: "test" });
    add(runId, "run.delta", {
      text: `Answer ${i} with **words**, \`code\` and a list:\n\n- one\n- two\n\n${"Text. ".repeat(i % 60)}`,
    });
    add(runId, "run.finished", { outcome: "done" });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "transcript.jsonl"), `${lines.join("\n")}\n`);
  const about = { id: CHAT, title: "Long chat", provider: "test", created: timestamp, updated: timestamp };
  writeFileSync(join(folder, "meta.json"), JSON.stringify({ ...about, cwd: tmpdir(), providerState: {} }));
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
