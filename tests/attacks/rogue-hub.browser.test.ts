import { createPairingHex } from "@debug-bridge/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ExtensionBrowser } from "../e2e/extension/extension-browser.js";
import { until } from "../fixtures.js";
import { pairingKeyOf } from "../support/chrome/pairing.js";
import { openPopup } from "../support/chrome/popup.js";
import { testHub } from "../support/hub/hub.js";

type Reply = (text: string, send: (message: object) => void) => void;

/** A program of another user that listens where the extension looks for its hub. */
class RogueServer {
  readonly frames: string[] = [];
  readonly urls: string[] = [];

  private constructor(readonly server: WebSocketServer) {}

  static async start(greetings: readonly object[], reply: Reply = () => {}): Promise<RogueServer> {
    const rogue = new RogueServer(new WebSocketServer({ host: "127.0.0.1", port: 0 }));
    rogue.server.on("connection", (socket, request) => {
      rogue.urls.push(request.url ?? "");
      const send = (message: object): void => socket.send(JSON.stringify(message));
      for (const message of greetings) send(message);
      socket.on("message", (data) => {
        rogue.frames.push(String(data));
        reply(String(data), send);
      });
      socket.on("error", () => {});
    });
    await new Promise((resolve) => rogue.server.once("listening", resolve));
    return rogue;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** The methods of everything that it was sent. */
  get methods(): string[] {
    return this.frames.map((text) => String((JSON.parse(text) as { method?: unknown }).method));
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const envelope = (type: string, payload: object): object => ({
  ...{ version: "1.0.0", type, timestamp: new Date().toISOString(), payload },
});

/** What a hub of the relay would send, and what takes over a tab. */
const COMMANDS = [
  { id: 1, method: "listTabs", params: {} },
  { id: 2, method: "attachTab", params: { tabId: 1, sessionId: "s" } },
  { id: 3, method: "cdpCommand", params: { tabId: 1, method: "Network.getAllCookies" } },
  { id: 4, method: "createTab", params: { url: "http://127.0.0.1:1/stolen", sessionId: "s" } },
  { method: "paired" },
];
const CONSOLE = [envelope("connection_status", { status: "connected" }), envelope("ping", { id: "1" })];

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function rogues(greet: boolean, reply?: Reply): Promise<[RogueServer, RogueServer]> {
  const relay = await RogueServer.start(greet ? COMMANDS : [], reply);
  const console = await RogueServer.start(greet ? CONSOLE : [], reply);
  closers.push(
    () => relay.close(),
    () => console.close(),
  );
  return [relay, console];
}

async function launch(
  urls: { relayUrl: string; consoleUrl: string },
  config = {},
): Promise<ExtensionBrowser> {
  const browser = await ExtensionBrowser.launch(urls, () => {}, config);
  closers.push(() => browser.close());
  return browser;
}

describe("V1: a program that listens on the hub's ports", () => {
  it("gets nothing but nonces, and is not obeyed, on neither wire", async () => {
    const [relay, console] = await rogues(true);
    const browser = await launch({ relayUrl: relay.url, consoleUrl: console.url });
    await browser.run("console.log('my secret line'); document.cookie = 'login=secret'");
    await until(() => relay.urls.length >= 2 && console.urls.length >= 2);
    for (const rogue of [relay, console]) {
      expect(new Set(rogue.methods)).toEqual(new Set(["pairHello"]));
      for (const text of rogue.frames)
        expect(text).toMatch(/^\{"method":"pairHello","params":\{"version":1,"nonce":"[0-9a-f]{64}"\}\}$/);
      expect(new Set(rogue.frames).size).toBe(rogue.frames.length);
    }
    expect(relay.urls[0]).toMatch(/^\/extension\?instance=[0-9a-f-]{36}$/);
    const pages = browser.context.pages().map((page) => page.url());
    expect(pages.filter((url) => url.includes("stolen"))).toEqual([]);
    const popup = await openPopup(browser.context);
    await until(async () => (await popup.textContent("#status"))?.includes("Not paired"));
    expect(await popup.textContent("#problem")).toContain("did not prove that it is your hub");
  });

  it("does not pass with a forged proof, and the extension never proves itself to it", async () => {
    const forge: Reply = (_text, send) =>
      send({ method: "pairChallenge", params: { nonce: createPairingHex(), proof: createPairingHex() } });
    const [relay, console] = await rogues(false, forge);
    await launch({ relayUrl: relay.url, consoleUrl: console.url });
    await until(() => relay.urls.length >= 3 && console.urls.length >= 3);
    expect(new Set([...relay.methods, ...console.methods])).toEqual(new Set(["pairHello"]));
  });

  it("does not pass by asking the real hub for its proof, and makes room for the real hub when it ends", async () => {
    const hub = await testHub({ driveTabs: false });
    const origin = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
    const ask =
      (url: string): Reply =>
      (text, send) => {
        const real = new WebSocket(url, { origin });
        real.on("open", () => real.send(text));
        real.on("message", (data) => send(JSON.parse(String(data))));
        real.on("error", () => {});
      };
    const relay = await RogueServer.start([], ask(`${hub.relayUrl}/extension`));
    const console = await RogueServer.start([], ask(hub.consoleUrl));
    closers.push(() => console.close());
    const pairingKey = pairingKeyOf(hub.relayUrl);
    const browser = await launch({ relayUrl: relay.url, consoleUrl: console.url }, { pairingKey });
    await until(() => relay.urls.length >= 2 && console.urls.length >= 2);
    expect(new Set([...relay.methods, ...console.methods])).toEqual(new Set(["pairHello"]));
    const { port } = new URL(relay.url);
    await relay.close();
    const next = await testHub({ home: hub.home, relayPort: Number(port), driveTabs: false });
    await browser.open("about:blank");
    await until(async () => {
      const health = await fetch(`${next.relayUrl.replace("ws", "http")}/healthz`);
      return ((await health.json()) as { extension: boolean }).extension;
    });
  });

  it("is not even connected to by a copy of the extension that is not paired", async () => {
    const [relay, console] = await rogues(true);
    const browser = await launch({ relayUrl: relay.url, consoleUrl: console.url }, { pairingKey: undefined });
    const popup = await openPopup(browser.context);
    await until(async () => (await popup.textContent("#status"))?.includes("Not paired"));
    expect(await popup.textContent("#problem")).toContain("debug-bridge extension --pair");
    expect([relay.urls, console.urls]).toEqual([[], []]);
  });
});
