/** agent-browser, a command line for agents: a daemon of its own keeps the Chrome between commands. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findChrome } from "@debug-bridge/runner/chrome";
import { peerFolder } from "../lib/peers.mjs";

const run = promisify(execFile);

/** Commands by `call`, with the arguments of one as a list. Answers with what it prints. */
export async function startAgentBrowser(home) {
  const program = join(await peerFolder("agent-browser"), "bin/agent-browser.js");
  const env = {
    ...process.env,
    ...{ HOME: home, AGENT_BROWSER_SOCKET_DIR: home, AGENT_BROWSER_SESSION: `bench-${process.pid}` },
    ...{ AGENT_BROWSER_EXECUTABLE_PATH: findChrome(), AGENT_BROWSER_ARGS: "--no-sandbox" },
  };
  const call = async (...args) => {
    const options = { env, cwd: home, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await run(process.execPath, [program, ...args], options);
    return stdout;
  };
  return {
    open: (url) => call("open", url),
    // With the text of the page, as the others show it.
    look: () => call("snapshot"),
    ref: (text, name) => new RegExp(`button "${name}".*?ref=(e\\d+)`).exec(text)?.[1],
    click: (ref) => call("click", `@${ref}`),
    call: (command, { args = [] } = {}) => call(command, ...args),
    close: () => call("close"),
  };
}
