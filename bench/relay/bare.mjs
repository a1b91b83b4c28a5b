/** The least that any relay of this kind does: passes text on to an extension that calls `chrome.debugger`, and back. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WebSocket, WebSocketServer } from "ws";

const MANIFEST = {
  manifest_version: 3,
  name: "Bare relay",
  version: "1.0",
  permissions: ["debugger", "tabs"],
  host_permissions: ["<all_urls>"],
  background: { service_worker: "worker.js" },
};

const worker = (port) => `
const socket = new WebSocket("ws://127.0.0.1:${port}/extension");
setInterval(() => socket.readyState === 1 && socket.send("{}"), 5000);
let tabId;
socket.onmessage = async ({ data }) => {
  const { id, method, params } = JSON.parse(data);
  if (method === "attach") {
    const [tab] = await chrome.tabs.query({ url: params.url + "*" });
    await chrome.debugger.attach({ tabId: tab.id }, "1.3");
    tabId = tab.id;
    socket.send(JSON.stringify({ id, result: {} }));
    return;
  }
  chrome.debugger.sendCommand({ tabId }, method, params, (result) => socket.send(JSON.stringify({ id, result })));
};`;

/** Writes the extension that connects to a port. */
export function writeBareExtension(folder, port) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, "worker.js"), worker(port));
}

/** Starts the forwarder. Resolves with its port, and how to end it. */
export async function startForwarder() {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(await new Promise((resolve) => child.stdout.once("data", resolve)));
  return { port, end: () => child.kill() };
}

/** Sends CDP commands over a socket, one after the other. */
export async function connectRaw(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = new Map();
  let last = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
  });
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    close: () => socket.close(),
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      }),
  };
}

/** Run as a program: forwards between the extension and one client, and prints its port. */
if (process.argv[1] === import.meta.filename) {
  let extension;
  let client;
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () =>
    console.log(server.address().port),
  );
  server.on("connection", (socket, { url }) => {
    if (url === "/extension") {
      extension = socket;
      socket.on("message", (data) => client?.send(data, { binary: false }));
    } else {
      client = socket;
      socket.on("message", (data) => extension.send(data, { binary: false }));
    }
  });
}
