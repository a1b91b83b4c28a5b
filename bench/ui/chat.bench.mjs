/**
 * The page at /chat in the real Chromium: how fast a conversation of 10,000 messages opens and scrolls, and how long a
 * piece of an answer takes from the transcript to the screen. Each beside what a bare page in the same browser needs.
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
const TOKENS = 100;
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

const bare = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
await bare.goto(`${hub.url}/healthz`);

await measureOpening();
await measureScrolling();
await measureTokens();

await browser.close();
await hub.close();
rmSync(home, { recursive: true, force: true });

async function measureOpening() {
  const times = [];
  const platform = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.bringToFront();
    await page.getByRole("button", { name: "New chat" }).click();
    await page.locator(".turn").first().waitFor({ state: "detached" });
    times.push(await page.evaluate(openChat, `Answer ${TURNS - 1} `));
    await bare.bringToFront();
    platform.push(await bare.evaluate(openBare, { chat: CHAT, token: hub.token }));
  }
  figure({
    ...{ name: "chat: open 10,000 messages, newest on the screen", unit: "ms", limit: 200 },
    value: median(times),
    note: `slowest of ${ROUNDS}: ${Math.round(Math.max(...times))} ms; a bare page that reads the same part from the hub and shows its text: ${Math.round(median(platform))} ms`,
  });
}

/** In the page: from the click on the chat to the frame with its last answer. */
function openChat(last) {
  return new Promise((resolve) => {
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
  });
}

async function openBare({ chat, token }) {
  const started = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`/v1/chats/${chat}/transcript?limit=200`, { headers });
  const { events } = await response.json();
  document.body.textContent = events.map(({ payload }) => payload.text ?? payload.message ?? "").join("\n");
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - started;
}

/** Scrolls up through several thousand pixels per second, across parts that have to be loaded. */
async function measureScrolling() {
  await bare.bringToFront();
  await bare.evaluate(() => {
    document.body.innerHTML = '<div id="list" style="height:700px;overflow:auto"></div>';
    const list = document.getElementById("list");
    for (let i = 0; i < 5_000; i++)
      list.append(Object.assign(document.createElement("p"), { textContent: i }));
    list.scrollTop = list.scrollHeight;
  });
  const platform = await bare.evaluate(scrollUp, "#list");
  await page.bringToFront();
  const { longest, loaded } = await page.evaluate(scrollUp, ".turns");
  figure({
    ...{ name: "chat: longest task while scrolling", value: longest, unit: "ms", limit: 50 },
    note: `0: none reached 50 ms; ${loaded} pixels of earlier messages were loaded meanwhile; a bare page that scrolls a plain list: ${platform.longest}`,
  });
}

async function scrollUp(selector) {
  // The task in which this code was compiled is not one of the page.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = performance.now();
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: "longtask" });
  const scroller = document.querySelector(selector);
  const before = scroller.scrollHeight;
  for (let i = 0; i < 600; i++) {
    scroller.scrollTop -= 300;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  const own = tasks.filter(({ startTime }) => startTime >= began).map(({ duration }) => duration);
  return { longest: Math.max(0, ...own), loaded: scroller.scrollHeight - before };
}

/** The two take turns, so that a busy machine slows both alike. */
async function measureTokens() {
  const delays = [];
  const platform = [];
  for (let round = 0; round < 4; round++) {
    platform.push(...(await bareTokens()));
    delays.push(...(await chatTokens()));
  }
  for (const list of [delays, platform]) list.sort((a, b) => a - b);
  const p99 = (list) => list[Math.floor(list.length * 0.99)] ?? Number.NaN;
  figure({
    ...{ name: "chat: a piece of the answer on the screen (p99)", unit: "ms", limit: 30 },
    value: p99(delays),
    note: `median ${median(delays)} ms of ${delays.length} pieces, from the transcript's time to the frame; a bare page that reads the same stream: p99 ${p99(platform)} ms, median ${median(platform)} ms`,
  });
}

async function chatTokens() {
  await page.bringToFront();
  await page.getByRole("button", { name: "New chat" }).click();
  await page.locator(".turn").first().waitFor({ state: "detached" });
  const { length } = turns;
  await page.getByLabel("Message").fill("Count");
  await page.getByLabel("Message").press("Enter");
  while (turns.length === length) await pause(5);
  await page.locator(".turns").waitFor();
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
  await emitTokens(turns.at(-1));
  await page.getByRole("button", { name: "Send" }).waitFor();
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("chat");
  return delaysOf(id, await page.evaluate(() => [...globalThis.shown]));
}

async function bareTokens() {
  await bare.bringToFront();
  const { id } = await api("/v1/chats", {});
  const { length } = turns;
  await api(`/v1/chats/${id}/runs`, { message: "Count" });
  while (turns.length === length) await pause(5);
  await bare.evaluate(followBare, { chat: id, token: hub.token });
  await emitTokens(turns.at(-1));
  await pause(500);
  return delaysOf(id, await bare.evaluate(() => [...globalThis.shown]));
}

async function followBare({ chat, token }) {
  globalThis.shown = new Map();
  document.body.textContent = "";
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`/events?sessionId=${chat}`, { headers });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const text = part.value;
      document.body.append(text);
      requestAnimationFrame(() => {
        const now = Date.now();
        for (const [token] of text.matchAll(/token\d+x/g)) globalThis.shown.set(token, now);
      });
    }
  };
  read();
}

async function emitTokens({ emit, end }) {
  for (let i = 0; i < TOKENS; i++) {
    emit({ type: "delta", text: i % 20 === 19 ? `token${i}x.\n\n` : `token${i}x ` });
    await pause(45 + (i % 13));
  }
  end();
}

/** From the time at which each piece was written to the frame that shows it. */
async function delaysOf(id, shownList) {
  const shown = new Map(shownList);
  const { events } = await api(`/v1/chats/${id}/transcript`);
  return events.flatMap(({ event, timestamp, payload }) => {
    const [token] = event === "run.delta" ? (/token\d+x/.exec(payload.text) ?? []) : [];
    return token && shown.has(token) ? [shown.get(token) - Date.parse(timestamp)] : [];
  });
}

async function api(path, body) {
  const response = await fetch(`${hub.url}${path}`, {
    headers: { authorization: `Bearer ${hub.token}` },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  return response.json();
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
