import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket, WebSocketServer } from "ws";
import { ensureChromium } from "../../lib/chromium.mjs";

const PAGE = `<title>T</title><h1>Head</h1><p id=x data-a=b>hi <b>there</b></p><input id=i value=v aria-label=name>
<ul><li>1<li>2</ul><input type=checkbox checked id=c><iframe src=/inner></iframe>`;
const INNER = "<title>f</title><p id=in>inner</p>";

/** A Chromium with one page, and a port that records every command that clients send to it. */
export async function startRecorder() {
  const site = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/inner" ? INNER : PAGE);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const profile = mkdtempSync(join(tmpdir(), "client-reads-"));
  const url = `http://127.0.0.1:${site.address().port}/`;
  const { child, endpoint } = await launch(profile, url);
  const recorder = { commands: [], isRecording: false, endpoint: "", close: async () => {} };
  const proxy = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => proxy.once("listening", resolve));
  proxy.on("connection", (client) => connect(client, endpoint, recorder));
  recorder.endpoint = `ws://127.0.0.1:${proxy.address().port}/`;
  recorder.close = async () => {
    proxy.close();
    site.close();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGKILL");
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  return recorder;
}

async function launch(profile, url) {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const child = spawn(await ensureChromium(), [...flags, `--user-data-dir=${profile}`, url], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let text = "";
  const endpoint = await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`Chromium ended: ${text}`)));
    child.stderr.on("data", (data) => {
      text += data;
      const found = /ws:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  return { child, endpoint };
}

function connect(client, endpoint, recorder) {
  const chrome = new WebSocket(endpoint, { maxPayload: 1 << 28 });
  const early = [];
  chrome.on("open", () => {
    for (const text of early) chrome.send(text);
  });
  client.on("message", (data) => {
    const text = String(data);
    if (recorder.isRecording) recorder.commands.push(JSON.parse(text));
    if (chrome.readyState === WebSocket.OPEN) chrome.send(text);
    else early.push(text);
  });
  chrome.on("message", (data) => client.send(String(data)));
  client.on("close", () => chrome.close());
}
