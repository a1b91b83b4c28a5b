import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startHub } from "@debug-bridge/server";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CLI } from "../lib/cli.mjs";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PAGE = `<!doctype html><title>Bench</title><h1>Orders</h1>
<form onsubmit="return false"><label>Name <input id="name" name="name"></label><button id="add" type="button">Add order</button></form>
<p id="count">0 orders</p><ul id="list"></ul>
<script>
let n = 0;
add.onclick = () => { count.textContent = ++n + " orders"; if (list.children.length > 20) list.innerHTML = ""; list.insertAdjacentHTML("beforeend", "<li><button>Remove " + n + "</button></li>"); };
</script>`;

/** A page that changes with every click, and shows what was typed. */
export async function servePage() {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(PAGE);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** A folder for a bench, and how to remove it. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
  return {
    path,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** A hub in this process, which launched browsers join. */
export function startQuietHub(home) {
  return startHub({ home, port: 0, consolePort: 0, relayPort: 0, driveTabs: false, announce: false });
}

/** `debug-bridge browser -` as its own process: an instruction in, its answer out. */
export function startRunner(home) {
  const child = spawn(process.execPath, [CLI, "browser", "-", "--quiet", "--home", home, "--temp-profile"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let buffer = "";
  const waiting = [];
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (part) => {
    buffer += part;
    for (let end = buffer.indexOf("\n"); end !== -1; end = buffer.indexOf("\n")) {
      waiting.shift()?.(JSON.parse(buffer.slice(0, end)));
      buffer = buffer.slice(end + 1);
    }
  });
  const send = async (fields) => {
    const answer = new Promise((resolve) => waiting.push(resolve));
    child.stdin.write(`<browser_action>${fields}</browser_action>\n`);
    const response = await answer;
    if (!response.success) throw new Error(`${fields}: ${response.error.message}`);
    return response;
  };
  const close = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.stdin.end();
    });
  return { child, send, close };
}

/** An MCP server over stdio, in a folder where it may leave its files; `call` answers with the text of a tool's result. */
export async function startPeer(args, cwd) {
  const client = new Client({ name: "bench", version: "1" });
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: "ignore" });
  await client.connect(transport);
  const call = async (name, input = {}) => {
    const result = await client.callTool({ name, arguments: input });
    const text = result.content.map((part) => part.text ?? "").join("\n");
    if (result.isError || /^### Error/m.test(text)) throw new Error(`${name}: ${text}`);
    return text;
  };
  return { call, close: () => client.close() };
}
