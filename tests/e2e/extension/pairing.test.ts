import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import {
  type CodeKeys,
  codeSecrets,
  commitCode,
  createCodeKeys,
  createPairingHex,
  pairingCode,
} from "@debug-bridge/protocol";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { CLI, startUp, until } from "../../fixtures.js";
import { pairingKeyOf } from "../../support/chrome/pairing.js";
import { openPopup } from "../../support/chrome/popup.js";
import { ExtensionBrowser } from "./extension-browser.js";

const ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
let browser: ExtensionBrowser | undefined;
afterEach(async () => {
  await browser?.close();
  browser = undefined;
});

/** `debug-bridge extension --pair`, with a person at its keyboard. */
class Terminal {
  output = "";
  readonly exit: Promise<number | null>;

  private constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (data) => {
        this.output += data;
      });
    this.exit = new Promise((resolve) => child.on("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
  }

  static async start(home: string): Promise<Terminal> {
    const main = CLI;
    const child = spawn(process.execPath, [main, "extension", "--pair", "--home", home], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    const terminal = new Terminal(child);
    await until(() => terminal.output.includes("Pair with this computer"));
    return terminal;
  }

  /** The newest code that it shows. */
  code(number = 1): Promise<string> {
    return until(() => [...this.output.matchAll(/this code: (\d{3} \d{3})/g)][number - 1]?.[1]);
  }

  type(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }
}

async function startHub() {
  const { ready } = await startUp();
  const home = join(ready.tokenFile, "..");
  const health = async (): Promise<boolean> => {
    const response = await fetch(`${ready.relay.replace("ws", "http")}/healthz`);
    return ((await response.json()) as { extension: boolean }).extension;
  };
  return { ready, home, health };
}

async function startBrowser(relayUrl: string, consoleUrl: string): Promise<Page> {
  browser = await ExtensionBrowser.launch({ relayUrl, consoleUrl }, () => {}, { pairingKey: undefined });
  const popup = await openPopup(browser.context);
  await until(async () => (await popup.textContent("#status"))?.includes("Not paired"));
  return popup;
}

const storedKey = async (): Promise<unknown> =>
  (await (browser as ExtensionBrowser).worker()).evaluate(
    async () => (await chrome.storage.local.get("pairingKey")).pairingKey,
  );

describe("a copy of the extension that has no key", () => {
  it("is paired by a code that popup and terminal both show", async () => {
    const { ready, home, health } = await startHub();
    const popup = await startBrowser(ready.relay, ready.console);
    await popup.getByRole("button", { name: "Pair with this computer" }).click();
    await popup.getByText("No terminal is waiting").waitFor();
    const terminal = await Terminal.start(home);
    await popup.getByRole("button", { name: "Pair with this computer" }).click();
    const code = await terminal.code();
    await until(async () => (await popup.textContent("#pairing-code")) === code);
    expect(await health()).toBe(false);
    await popup.getByRole("button", { name: "Yes, the terminal shows the same code" }).click();
    await popup.getByText("Confirm this code in the terminal too").waitFor();
    expect(await storedKey()).toBeUndefined();
    terminal.type("yes");
    expect(await terminal.exit).toBe(0);
    expect(terminal.output).toContain("Paired.");
    await until(health);
    expect(await storedKey()).toBe(pairingKeyOf(ready.relay));
    await until(async () => (await popup.textContent("#status"))?.includes("Connected"));
  });

  it("is not paired when one of both says no, and the terminal gives up after three attempts", async () => {
    const { ready, home, health } = await startHub();
    const popup = await startBrowser(ready.relay, ready.console);
    const terminal = await Terminal.start(home);
    const pair = popup.getByRole("button", { name: "Pair with this computer" });
    for (const attempt of [1, 2, 3]) {
      await pair.click();
      await terminal.code(attempt);
      await popup.locator("#pairing-code").waitFor();
      if (attempt === 1) {
        await popup.getByRole("button", { name: "No, the terminal shows another code or none" }).click();
        terminal.type("yes");
      } else {
        terminal.type("no");
        await popup.getByText("the codes were not the same").waitFor();
      }
      const failures = (): number => terminal.output.split("That did not work").length - 1;
      await until(() => failures() === attempt || attempt === 3);
    }
    expect(await terminal.exit).toBe(1);
    expect(terminal.output).toContain("3 attempts failed");
    expect(await storedKey()).toBeUndefined();
    expect(await health()).toBe(false);
    await pair.click();
    await popup.getByText("No terminal is waiting").waitFor();
  });
});

/** A program between popup and terminal that follows the rules with its own keys, and sees everything. */
async function startBetween(relayUrl: string) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  const seen: string[] = [];
  const codes: string[] = [];
  await new Promise((resolve) => server.once("listening", resolve));
  const [toExtension, toHub] = await Promise.all([createCodeKeys(), createCodeKeys()]);
  server.on("connection", (near) => {
    const far = new WebSocket(`${relayUrl}/pair`, { origin: ORIGIN });
    far.on("error", () => near.close());
    const play = new Between(near, far, toExtension, toHub, codes);
    near.on("message", (data) => void play.fromExtension(JSON.parse(String(data))));
    far.on("message", (data) => {
      seen.push(String(data));
      void play.fromHub(JSON.parse(String(data)));
    });
  });
  return { url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`, seen, codes };
}

interface Message {
  readonly method: string;
  readonly params: Record<string, string>;
}

class Between {
  private extensionKey = "";
  private readonly ownNonce = createPairingHex();

  constructor(
    private readonly near: WebSocket,
    private readonly far: WebSocket,
    private readonly toExtension: CodeKeys,
    private readonly toHub: CodeKeys,
    private readonly codes: string[],
  ) {}

  async fromExtension({ method, params }: Message): Promise<void> {
    if (this.far.readyState !== this.far.OPEN) await new Promise((resolve) => this.far.once("open", resolve));
    if (method === "codeHello") {
      this.extensionKey = params.publicKey ?? "";
      this.send(this.far, "codeHello", { version: 1, publicKey: this.toHub.publicKey });
    } else if (method === "codeNonce") {
      const transcript = {
        ...{ extensionKey: this.extensionKey, hubKey: this.toExtension.publicKey },
        ...{ extensionNonce: params.nonce ?? "", hubNonce: this.ownNonce },
      };
      await codeSecrets(this.toExtension, this.extensionKey, transcript);
      this.codes.push(await pairingCode(transcript));
      this.send(this.far, "codeNonce", { nonce: createPairingHex() });
    }
  }

  async fromHub({ method }: Message): Promise<void> {
    if (method === "codeCommit") {
      const hubKey = this.toExtension.publicKey;
      const half = { hubKey, extensionKey: this.extensionKey, hubNonce: this.ownNonce };
      this.send(this.near, "codeCommit", { publicKey: hubKey, commitment: await commitCode(half) });
    } else if (method === "codeReveal") this.send(this.near, "codeReveal", { nonce: this.ownNonce });
  }

  private send(socket: WebSocket, method: string, params: object): void {
    socket.send(JSON.stringify({ method, params }));
  }
}

describe("V1: a program between the popup and the terminal", () => {
  it("cannot make both show the same code, and gets no key when the person says no", async () => {
    const { ready, home, health } = await startHub();
    const between = await startBetween(ready.relay);
    const popup = await startBrowser(between.url, ready.console);
    const terminal = await Terminal.start(home);
    await popup.getByRole("button", { name: "Pair with this computer" }).click();
    const inTerminal = await terminal.code();
    await popup.locator("#pairing-code").waitFor();
    const inPopup = await popup.textContent("#pairing-code");
    expect(inPopup?.replace(" ", "")).toBe(between.codes[0]);
    expect(inPopup).not.toBe(inTerminal);
    terminal.type("no");
    await until(() => terminal.output.includes("the codes were not the same"));
    expect(between.seen.map((text) => (JSON.parse(text) as Message).method)).toEqual([
      "codeCommit",
      "codeReveal",
    ]);
    expect(await storedKey()).toBeUndefined();
    expect(await health()).toBe(false);
  });
});
