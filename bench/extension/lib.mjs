import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { CHROMIUM } from "../lib/chromium.mjs";
import { copyExtension, proveAsHub } from "../lib/pairing.mjs";

const PAIRING_KEY = "b0".repeat(32);

/** A hub that takes everything and answers pings. */
async function startHub() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((resolve) => server.on("listening", resolve));
  const frames = [];
  const say = (socket, type, payload) =>
    socket.send(JSON.stringify({ version: "1.0.0", type, timestamp: new Date().toISOString(), payload }));
  let greet;
  const greeted = new Promise((resolve) => {
    greet = resolve;
  });
  server.on("connection", async (socket) => {
    await proveAsHub(socket, "console", `127.0.0.1:${server.address().port}`, PAIRING_KEY);
    socket.on("message", (data) => {
      const text = String(data);
      frames.push(text);
      for (const { type, payload } of [JSON.parse(text)].flat()) {
        if (type === "ping") say(socket, "pong", { id: payload.id });
        if (type === "connection_status") {
          say(socket, "connection_status", {
            status: "connected",
            clientInfo: { cliVersion: "0.1.0", platform: "linux" },
          });
          greet();
        }
      }
    });
  });
  return { port: server.address().port, frames, greeted, close: () => server.close() };
}

/** Chromium that loads an extension from its command line sometimes never asks for the page that it was started with. */
const STARTS = 5;
class NotLoaded extends Error {}

/**
 * Runs a page's script in a Chromium that nothing is attached to (a debugger that listens makes every console call ten
 * times as slow), and returns what the script gave to `report`. `code` may await.
 */
export async function runPage(code, { extension }) {
  for (let start = 1; ; start++) {
    try {
      return await runInNewBrowser(code, extension);
    } catch (error) {
      if (!(error instanceof NotLoaded) || start === STARTS) throw error;
    }
  }
}

async function runInNewBrowser(code, extension) {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
  const hub = await startHub();
  let report;
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  let asked = false;
  const server = createServer((request, response) => {
    asked = true;
    if (request.method === "POST") {
      let body = "";
      request.on("data", (data) => {
        body += data;
      });
      request.on("end", () => {
        response.end();
        report(JSON.parse(body));
      });
    } else if (request.url === "/") {
      // The first page is loaded before the extension's scripts are registered; the second one is measured.
      response.setHeader("content-type", "text/html");
      response.end(`<script>setTimeout(() => location.href = "/bench", 2500)</script>`);
    } else {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><title>bench</title><script>
        const report = (value) => fetch("/", { method: "POST", body: JSON.stringify(value) });
        setTimeout(async () => { ${code} }, 300);
      </script>`);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const args = [...CHROMIUM.args, `--user-data-dir=${join(folder, "profile")}`];
  if (extension) {
    const unpacked = join(folder, "unpacked");
    copyExtension(unpacked, { consolePort: hub.port, pairingKey: PAIRING_KEY });
    args.push(`--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`);
  }
  const url = `http://127.0.0.1:${server.address().port}/`;
  const chrome = spawn(CHROMIUM.executablePath, [...args, url], {
    stdio: "ignore",
    detached: true,
  });
  const limits = [
    setTimeout(() => asked || report({ failed: new NotLoaded("Chromium did not load the page") }), 10_000),
    setTimeout(() => report({ failed: new Error("the page did not report within 60 s") }), 60_000),
  ];
  try {
    const value = await reported;
    if (value.failed) throw value.failed;
    if (extension) await new Promise((resolve) => setTimeout(resolve, 500));
    return { value, frames: hub.frames };
  } finally {
    for (const limit of limits) clearTimeout(limit);
    process.kill(-chrome.pid, "SIGKILL");
    await new Promise((resolve) => chrome.once("exit", resolve));
    server.closeAllConnections();
    server.close();
    hub.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
