/** Servers with a Chrome of their own each: ours, and those that agents use for the same. Three speak MCP, one is a command line. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findChrome } from "@debug-bridge/runner/chrome";
import { CLI } from "../lib/cli.mjs";
import { startPeer } from "../runner/lib.mjs";
import { startAgentBrowser } from "./agent-browser.mjs";

const require = createRequire(import.meta.url);
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));
/** The programs that agents start for the peers. */
export const PEER_PROGRAMS = {
  playwright: join(folderOf("@playwright/mcp"), "cli.js"),
  devtools: join(folderOf("chrome-devtools-mcp"), "build/src/bin/chrome-devtools-mcp.js"),
};
const FREE_PORTS = ["--port", "0", "--console-port", "0", "--relay-port", "0"];

const found = (pattern) => (text, name) => pattern(name).exec(text)?.[1] ?? missing(name, text);

/** Ours alone. */
export async function startOurs(home) {
  const ours = await startPeer([CLI, "mcp", ...FREE_PORTS, "--home", home], home);
  let isStarted = false;
  return {
    open: async (url) => {
      const type = isStarted ? "navigate" : "start";
      isStarted = true;
      return ours.call("browser_action", {
        instruction: `<type>${type}</type><url>${url}</url><timeoutMs>60000</timeoutMs>`,
      });
    },
    look: () => ours.call("observe"),
    ref: found((name) => new RegExp(`(e\\d+) button "${name}"`)),
    click: (ref) => ours.call("act", { type: "click", target: { ref } }),
    find: (wanted) => ours.call("find", wanted),
    call: ours.call,
    close: ours.close,
  };
}

/** `open` goes to a URL, `look` returns the page as text, `ref` finds an element in it, `click` clicks that, `call` calls any tool. */
export async function startServers(home) {
  const chrome = findChrome();
  const [ours, playwright, devtools, agentBrowser] = await Promise.all([
    startOurs(home),
    startPeer(
      [
        PEER_PROGRAMS.playwright,
        ...["--headless", "--isolated", "--no-sandbox", "--executable-path", chrome],
      ],
      home,
    ),
    startPeer(
      [
        PEER_PROGRAMS.devtools,
        ...["--headless", "--isolated", "--executablePath", chrome, "--chromeArg=--no-sandbox"],
        ...["--no-usage-statistics", "--no-page-id-routing"],
      ],
      home,
    ),
    startAgentBrowser(home),
  ]);
  return {
    ours,
    playwright: {
      open: (url) => playwright.call("browser_navigate", { url }),
      look: () => playwright.call("browser_snapshot"),
      ref: found((name) => new RegExp(`button "${name}".*?\\[ref=(\\w+)\\]`)),
      click: (ref) => playwright.call("browser_click", { element: "a button", target: ref, ref }),
      call: playwright.call,
      close: playwright.close,
    },
    devtools: {
      open: (url) => devtools.call("navigate_page", { url }),
      look: () => devtools.call("take_snapshot"),
      ref: found((name) => new RegExp(`uid=(\\w+) button "${name}"`)),
      click: (uid) => devtools.call("click", { uid }),
      call: devtools.call,
      close: devtools.close,
    },
    agentBrowser,
  };
}

function missing(name, text) {
  throw new Error(`no button "${name}" in:\n${text.slice(0, 2_000)}`);
}
