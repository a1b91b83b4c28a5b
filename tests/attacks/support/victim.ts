import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";

const PAGE = `<!doctype html><html><head><title>Victim</title></head><body style="height:3000px">
<h1>Account</h1><p id="text" data-kind="note" class="a b">Hello <b>there</b></p>
<form id="form" action="/submitted"><input id="name" value="Ann" aria-label="Name"><button id="send">Send</button></form>
<ul><li>One<li>Two<li>Three</ul><input type="checkbox" id="agree" checked><details id="more"><summary>More</summary>x</details>
<dialog id="dialog">d</dialog><div id="fresh"></div><div id="editable" contenteditable>e</div>
<iframe id="frame" src="/inner"></iframe>
<script>
localStorage.setItem("kept", "1"); sessionStorage.setItem("kept", "1"); document.cookie = "kept=1";
window.appState = { count: 1 };
// What the page's own code does later. A client that left something behind would be run here.
window.later = () => {
  const form = document.querySelector("#form"), fresh = document.querySelector("#fresh"), dialog = document.querySelector("#dialog");
  form.checkValidity(); fresh.getAttribute("id"); dialog.hasAttribute("open"); fresh.textContent; String(fresh);
  for (const name of Object.getOwnPropertyNames(HTMLDialogElement.prototype)) if (name === "planted") dialog.planted();
  for (const element of document.querySelectorAll("*")) if (typeof element.planted === "function") element.planted();
  return Object.getOwnPropertyNames(window).filter((name) => /planted/.test(name)).join();
};
</script></body></html>`;
const INNER = `<!doctype html><title>Inner</title><p id="inside">Inside</p>`;

export type State = Readonly<Record<string, unknown>>;

/** A page that must not change, and the server behind it. */
export class Victim {
  readonly requests: string[] = [];
  private readonly server = createServer((request, response) => {
    // Chrome asks for the icon when it likes.
    if (request.url !== "/favicon.ico") this.requests.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/inner" ? INNER : PAGE);
  });

  static async start(): Promise<Victim> {
    const victim = new Victim();
    victim.server.listen(0, "127.0.0.1");
    await new Promise((resolve) => victim.server.once("listening", resolve));
    return victim;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What differs between an earlier state and the one now, after the page's own code has run once more. */
  async changes(endpoint: string, before: State): Promise<string[]> {
    const now = await this.state(endpoint);
    return [...new Set([...Object.keys(before), ...Object.keys(now)])]
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]))
      .map((key) => `${key}: ${JSON.stringify(before[key])} -> ${JSON.stringify(now[key])}`);
  }

  /** Whether the page and its frame are loaded. */
  async isLoaded(endpoint: string): Promise<boolean> {
    const target = this.find(await pagesOf(endpoint));
    return target !== undefined && (await evaluate(target, "document.readyState === 'complete'")) === true;
  }

  /** What the page and its server show, read past the relay. */
  async state(endpoint: string): Promise<State> {
    const found = await pagesOf(endpoint);
    const pages = found.map(({ url }) => url);
    const page = await evaluate(this.find(found) ?? "", STATE);
    return { ...(page as State), pages: pages.sort(), requests: [...this.requests] };
  }

  private find(pages: readonly Record<string, string>[]): string | undefined {
    return pages.find(({ url }) => url?.startsWith(this.url))?.webSocketDebuggerUrl;
  }
}

async function pagesOf(endpoint: string): Promise<Record<string, string>[]> {
  const targets = (await (await fetch(`${endpoint}/json/list`)).json()) as Record<string, string>[];
  return targets.filter(({ type }) => type === "page");
}

const STATE = `(() => {
  // The height changes with Chrome's own bar about the debugger, so only the width counts.
  // The hub's own page engine notes its refs there, for whichever client looks.
  const kept = (storage) => Object.entries(storage).filter(([key]) => !key.startsWith("debug-bridge."));
  const planted = window.later();
  const frame = document.querySelector("#frame").contentDocument;
  return {
    planted, html: document.documentElement.outerHTML, inner: frame.documentElement.outerHTML, title: document.title,
    url: location.href, length: history.length, cookie: document.cookie, local: { ...localStorage }, session: kept(sessionStorage),
    focus: document.activeElement?.id, scroll: [scrollX, scrollY], selection: String(getSelection()), app: window.appState,
    name: window.name, values: [...document.querySelectorAll("input")].map((e) => [e.value, e.checked]),
    own: [...document.querySelectorAll("*")].flatMap((e) => Object.getOwnPropertyNames(e)),
    prototypes: [HTMLDialogElement, HTMLDetailsElement, HTMLFormElement, Element, Node].map((c) => Object.getOwnPropertyNames(c.prototype).length),
    globals: Object.getOwnPropertyNames(window).length, dark: matchMedia("(prefers-color-scheme: dark)").matches, size: [innerWidth, devicePixelRatio],
  };
})()`;

async function evaluate(url: string, expression: string): Promise<unknown> {
  const socket = new WebSocket(url);
  try {
    return await new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("open", () =>
        socket.send(
          JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression, returnByValue: true } }),
        ),
      );
      socket.on("message", (data) => {
        const { id, result } = JSON.parse(String(data));
        if (id !== 1) return;
        if (result?.exceptionDetails) reject(new Error(JSON.stringify(result.exceptionDetails)));
        else resolve(result?.result?.value);
      });
    });
  } finally {
    socket.terminate();
  }
}
