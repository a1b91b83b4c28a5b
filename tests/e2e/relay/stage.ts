import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hub, type HubOptions, startHub } from "@debug-bridge/server";
import { type Browser, chromium } from "playwright-core";
import puppeteer, { type Browser as Puppet } from "puppeteer-core";
import { WebSocket } from "ws";
import { removeFolder, until } from "../../fixtures.js";
import { CHROMIUM, CHROMIUM_FLAGS, featuresOff } from "../../support/chrome/chromium.js";
import { rememberHome } from "../../support/chrome/pairing.js";
import { type CopyOptions, copyExtension } from "../extension/extension-folder.js";
import { type Site, startSite } from "./site.js";

const FLAGS = [...CHROMIUM_FLAGS, featuresOff(), "--remote-debugging-port=0"];

interface Target {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly title: string;
  readonly webSocketDebuggerUrl: string;
}

const isOurWorker = ({ type, url }: Target): boolean =>
  type === "service_worker" && url.startsWith("chrome-extension://dhgkdhdd");

/** A Chromium that a person uses: with our extension, and with a port through which tests see it from outside. */
export class Person {
  private constructor(
    readonly profile: string,
    readonly downloads: string,
    private readonly flags: readonly string[],
    private process: ChildProcess,
    /** Direct CDP, for comparison and for what only a person could do. */
    public endpoint: string,
  ) {}

  /** Starts a browser whose extension looks for its relay at this address. */
  static async start(
    relayUrl: string,
    urls: readonly string[],
    flags: readonly string[] = [],
    config: CopyOptions = {},
  ): Promise<Person> {
    const profile = mkdtempSync(join(tmpdir(), "debug-bridge-person-"));
    const downloads = join(profile, "Downloads");
    mkdirSync(downloads);
    // People with an unpacked extension have this on; without it, Chrome does not load the extension again after a reload.
    const preferences = { extensions: { ui: { developer_mode: true } } };
    mkdirSync(join(profile, "Default"));
    writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
    const extension = join(profile, "extension");
    copyExtension(extension, { relayUrl }, config);
    const [process, endpoint] = await launch(profile, urls, flags);
    return new Person(profile, downloads, flags, process, endpoint);
  }

  /** Ends the browser as a crash would. */
  async kill(): Promise<void> {
    const { process: child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
    await ended;
  }

  async restart(...urls: string[]): Promise<void> {
    await this.kill();
    rmSync(join(this.profile, "DevToolsActivePort"), { force: true });
    rmSync(join(this.profile, "SingletonLock"), { force: true });
    [this.process, this.endpoint] = await launch(this.profile, urls, this.flags);
  }

  async close(): Promise<void> {
    await this.kill();
    await removeFolder(this.profile);
  }

  /** What the browser itself lists as targets. */
  async targets(): Promise<Target[]> {
    return (await fetch(`${this.endpoint}/json/list`)).json() as Promise<never>;
  }

  async open(url: string): Promise<string> {
    const response = await fetch(`${this.endpoint}/json/new?${encodeURI(url)}`, { method: "PUT" });
    return ((await response.json()) as { id: string }).id;
  }

  /** Runs code in the extension's worker. */
  async inWorker<Value>(code: string): Promise<Value> {
    // Chrome may end and start it at any time, in the middle of an answer too.
    const answer = await until(() =>
      this.tryInWorker<Value>(code).then(
        (value) => ({ value }),
        () => undefined,
      ),
    );
    return answer.value;
  }

  private async tryInWorker<Value>(code: string): Promise<Value> {
    const target = (await this.targets()).find(isOurWorker);
    if (!target) throw new Error("the extension's worker does not run");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    let limit: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Value>((resolve, reject) => {
        limit = setTimeout(() => reject(new Error("the worker did not answer")), 3_000);
        const expression = `(async () => (${code}))()`;
        const params = { expression, awaitPromise: true, returnByValue: true };
        socket.on("open", () => socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params })));
        socket.on("error", reject);
        socket.on("close", () => reject(new Error("the worker ended")));
        socket.on("message", (data) => {
          const { id, result } = JSON.parse(String(data));
          if (id !== 1) return;
          if (result?.exceptionDetails) reject(new Error(JSON.stringify(result.exceptionDetails)));
          else resolve(result?.result?.value as Value);
        });
      });
    } finally {
      clearTimeout(limit);
      socket.terminate();
    }
  }

  /** Has the process of a page crash; its tab stays, and is loaded again as a person would do. */
  async crashPage(): Promise<void> {
    const page = (await this.targets()).find(({ type, url }) => type === "page" && url.startsWith("http"));
    if (!page) return;
    const socket = new WebSocket(page.webSocketDebuggerUrl);
    await new Promise((resolve) => socket.once("open", resolve));
    const crashed = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        if (JSON.parse(String(data)).method === "Inspector.targetCrashed") resolve();
      });
      socket.once("close", () => resolve());
    });
    for (const [id, method] of ["Inspector.enable", "Page.crash"].entries())
      socket.send(JSON.stringify({ id: id + 1, method }));
    await crashed;
    socket.send(JSON.stringify({ id: 3, method: "Page.reload" }));
    await until(async () => (await this.titleOf(page.id)) === page.title);
    socket.terminate();
  }

  private async titleOf(id: string): Promise<string | undefined> {
    return (await this.targets()).find((target) => target.id === id)?.title;
  }

  /** Ends the extension's worker, as Chrome does to save memory. */
  async stopWorker(): Promise<void> {
    const worker = (await this.targets()).find(isOurWorker);
    if (worker) await fetch(`${this.endpoint}/json/close/${worker.id}`);
  }

  /** Has the extension reload itself. Resolves when its worker has ended; the next one may run by then. */
  async reloadExtension(): Promise<void> {
    const workerId = async (): Promise<string | undefined> => (await this.targets()).find(isOurWorker)?.id;
    const before = await until(workerId);
    // The answer has to come before the worker ends.
    await this.inWorker("void setTimeout(() => chrome.runtime.reload(), 20)");
    await until(async () => (await workerId()) !== before);
  }
}

async function launch(
  profile: string,
  urls: readonly string[],
  flags: readonly string[],
): Promise<[ChildProcess, string]> {
  const child = spawn(
    CHROMIUM.executablePath,
    [
      ...FLAGS,
      ...flags,
      `--disable-extensions-except=${join(profile, "extension")}`,
      `--load-extension=${join(profile, "extension")}`,
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    // What it downloads goes below its home.
    { stdio: "ignore", detached: true, env: { ...process.env, HOME: profile } },
  );
  const port = (): string | undefined => {
    try {
      return readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0];
    } catch {
      return undefined;
    }
  };
  const endpoint = `http://127.0.0.1:${await until(port)}`;
  // Chrome may never finish a navigation that began before it had loaded the extension.
  const list = async (): Promise<Target[]> => (await fetch(`${endpoint}/json/list`)).json() as Promise<never>;
  await until(async () => (await list()).some(isOurWorker));
  const first = (await list()).find(({ type }) => type === "page");
  if (first && urls[0] !== undefined) await navigate(first, urls[0]);
  for (const url of urls.slice(1)) await fetch(`${endpoint}/json/new?${encodeURI(url)}`, { method: "PUT" });
  return [child, endpoint];
}

/** Opens an address in a tab, as a person does in the address bar. */
async function navigate({ webSocketDebuggerUrl }: Target, url: string): Promise<void> {
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.on("open", () => socket.send(JSON.stringify({ id: 1, method: "Page.navigate", params: { url } })));
    socket.once("message", resolve);
    socket.once("error", reject);
  });
  socket.terminate();
}

/** A person's browser, a hub with its relay, and pages to work on. */
export class Stage {
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly person: Person,
    readonly site: Site,
    public hub: Hub,
    private readonly home: string,
  ) {}

  static async start(
    options: HubOptions & { pages?: readonly string[]; flags?: readonly string[]; config?: CopyOptions } = {},
  ): Promise<Stage> {
    const { pages = ["/"], flags = [], config = {}, ...rest } = options;
    const home = mkdtempSync(join(tmpdir(), "debug-bridge-relay-"));
    const site = await startSite();
    const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, ...rest });
    rememberHome(rest.home ?? home, hub.consoleUrl, hub.relayUrl);
    const person = await Person.start(
      hub.relayUrl,
      pages.map((path) => site.url(path)),
      flags,
      config,
    );
    const stage = new Stage(person, site, hub, home);
    // The first tab is empty until the browser has loaded the extension.
    await until(() => hub.relay.tabs().filter(({ url }) => url !== "about:blank").length >= pages.length);
    return stage;
  }

  /** A hub that connects to the browser itself. The extension is there, and finds no hub. */
  static async startDirect(
    options: HubOptions & { pages?: readonly string[]; flags?: readonly string[] } = {},
  ): Promise<Stage> {
    const { pages = ["/"], flags = [], ...rest } = options;
    const home = mkdtempSync(join(tmpdir(), "debug-bridge-direct-"));
    const site = await startSite();
    rememberHome(home, "ws://127.0.0.1:1", "ws://127.0.0.1:1");
    const urls = pages.map((path) => site.url(path));
    const person = await Person.start("ws://127.0.0.1:1", urls, flags);
    const chrome = person.endpoint;
    const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, chrome, ...rest });
    await until(() => hub.relay.tabs().filter(({ url }) => url !== "about:blank").length >= pages.length);
    return new Stage(person, site, hub, home);
  }

  get cdpUrl(): string {
    return `${this.hub.relayUrl}/cdp?token=${this.hub.token}`;
  }

  async health(): Promise<{ extension: boolean; clients: number; tabs: number }> {
    const url = `${this.hub.relayUrl.replace("ws", "http")}/healthz`;
    return (await fetch(url)).json() as Promise<never>;
  }

  async untilConnected(): Promise<void> {
    await until(async () => {
      const { extension, tabs } = await this.health();
      return extension && tabs > 0;
    });
  }

  async restartHub(): Promise<void> {
    const port = Number(new URL(this.hub.relayUrl).port);
    await this.hub.close();
    this.hub = await startHub({ port: 0, consolePort: 0, relayPort: port, home: this.home });
  }

  async playwright(): Promise<Browser> {
    const browser = await chromium.connectOverCDP(this.cdpUrl);
    this.closers.push(() => browser.close());
    return browser;
  }

  /** Playwright on the browser's own port, past the relay. */
  async direct(): Promise<Browser> {
    const browser = await chromium.connectOverCDP(this.person.endpoint);
    this.closers.push(() => browser.close());
    return browser;
  }

  async puppeteer(): Promise<Puppet> {
    const browser = await puppeteer.connect({ browserWSEndpoint: this.cdpUrl, defaultViewport: null });
    this.closers.push(async () => browser.disconnect());
    return browser;
  }

  /** Disconnects all clients that were made here. */
  async disconnect(): Promise<void> {
    for (const close of this.closers.splice(0)) await close().catch(() => {});
  }

  async close(): Promise<void> {
    await this.disconnect();
    await this.hub.close();
    await this.person.close();
    await this.site.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
