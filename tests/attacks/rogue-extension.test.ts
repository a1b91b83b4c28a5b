import { createProof, importPairingKey } from "@debug-bridge/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { until } from "../fixtures.js";
import { CdpClient } from "../integration/relay/cdp-client.js";
import { FakeExtension, tab } from "../integration/relay/fake-extension.js";
import { pairingKeyOf, proveAsExtension } from "../support/chrome/pairing.js";
import { ConsoleClient, SOURCE } from "../support/console/console-client.js";
import { type TestHub, testHub } from "../support/hub/hub.js";

const ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
const NONCE = "ab".repeat(32);

interface Rogue {
  readonly socket: WebSocket;
  readonly received: { method?: string; params?: Record<string, string> }[];
  readonly closed: Promise<string>;
  send(message: object): void;
}

/** A program that claims to be the extension. */
async function rogue(url: string): Promise<Rogue> {
  const socket = new WebSocket(url, { origin: ORIGIN });
  const received: Rogue["received"] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  const closed = new Promise<string>((resolve) =>
    socket.on("close", (code, reason) => resolve(`${code} ${String(reason)}`)),
  );
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => socket.once("open", resolve).on("error", reject));
  return { socket, received, closed, send: (message) => socket.send(JSON.stringify(message)) };
}

const extensionUrl = (hub: TestHub, instance = "rogue"): string =>
  `${hub.relayUrl}/extension?instance=${instance}`;
const hello = { method: "pairHello", params: { version: 1, nonce: NONCE } };
const health = async (hub: TestHub): Promise<{ extension: boolean; tabs: number }> =>
  (await fetch(`${hub.relayUrl.replace("ws", "http")}/healthz`)).json() as Promise<never>;

describe("V8: a program that poses as the extension", () => {
  it("gets nothing but a challenge, and none of its tabs is listed", async () => {
    const hub = await testHub();
    const { send, received, closed } = await rogue(extensionUrl(hub));
    send({ method: "hello", params: { userAgent: "Chrome", product: "Chrome/156.0.1.2" } });
    send({ id: 1, result: [tab(1, { url: "https://bank.test/" })] });
    send({ method: "tabOpened", params: { tab: tab(2) } });
    expect(await closed).toMatch(/^1008 .*pairing key/);
    expect(received).toEqual([]);
    expect(await health(hub)).toMatchObject({ extension: false, tabs: 0 });
    expect(await (await hub.api("/v1/sessions")).json()).toMatchObject({ sessions: [] });
    await until(() => hub.audit().includes("did not prove that it knows the pairing key"));
  });

  it("is refused with a guess, with the hub's own proof sent back, and with an old proof", async () => {
    const hub = await testHub();
    const proofs: string[] = [];
    for (const answer of ["guess", "reflect", "replay"] as const) {
      const { send, received, closed } = await rogue(extensionUrl(hub));
      send(hello);
      const { params } = await until(() => received[0]);
      proofs.push(params?.proof ?? "");
      const old = await importPairingKey(pairingKeyOf(hub.relayUrl));
      const replayed = await createProof(old, "extension", {
        ...{ wire: "relay", address: new URL(hub.relayUrl).host },
        ...{ extensionNonce: NONCE, hubNonce: "cd".repeat(32) },
      });
      const proof = { guess: "00".repeat(32), reflect: params?.proof, replay: replayed }[answer];
      send({ method: "pairProof", params: { proof } });
      expect(await closed).toMatch(/^1008 /);
      expect(received.map(({ method }) => method)).toEqual(["pairChallenge"]);
    }
    // The same nonce never leads to the same proof.
    expect(new Set(proofs).size).toBe(3);
  });

  it("cannot use a proof of the console wire on the relay's", async () => {
    const hub = await testHub();
    // What the real extension would answer at the console wire, or at another port.
    const real = await importPairingKey(pairingKeyOf(hub.relayUrl));
    for (const handshake of [
      { wire: "console", address: new URL(hub.relayUrl).host },
      { wire: "relay", address: new URL(hub.consoleUrl).host },
    ] as const) {
      const other = await rogue(extensionUrl(hub));
      other.send(hello);
      const challenge = await until(() => other.received[0]);
      const nonces = { extensionNonce: NONCE, hubNonce: challenge.params?.nonce ?? "" };
      const proof = await createProof(real, "extension", { ...handshake, ...nonces });
      other.send({ method: "pairProof", params: { proof } });
      expect(await other.closed).toMatch(/^1008 /);
    }
  });

  it("cannot stand between extension and hub on a separate port", async () => {
    const hub = await testHub();
    const between = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    onTestFinished(() => void between.close());
    const passed: string[] = [];
    between.on("connection", (near) => {
      const far = new WebSocket(extensionUrl(hub), { origin: ORIGIN });
      near.on("message", async (data) => {
        passed.push(String(data));
        if (far.readyState !== far.OPEN) await new Promise((resolve) => far.once("open", resolve));
        far.send(String(data));
      });
      far.on("message", (data) => near.send(String(data)));
      far.on("error", () => {});
    });
    await new Promise((resolve) => between.once("listening", resolve));
    const near = new WebSocket(`ws://127.0.0.1:${(between.address() as { port: number }).port}/extension`);
    onTestFinished(() => near.terminate());
    await new Promise((resolve) => near.once("open", resolve));
    await expect(proveAsExtension(near, "relay", pairingKeyOf(hub.relayUrl))).rejects.toThrow(
      "the hub did not prove itself",
    );
    // The extension never sent its own proof.
    expect(passed.map((text) => JSON.parse(text).method)).toEqual(["pairHello"]);
  });

  it("does not keep the real extension out, however many of them there are", async () => {
    const hub = await testHub({ driveTabs: false });
    const rogues = await Promise.all(Array.from({ length: 100 }, () => rogue(extensionUrl(hub, "same"))));
    const real = await FakeExtension.connect(hub.relayUrl, [tab(1)], { instance: "same" });
    await until(async () => (await health(hub)).tabs === 1);
    // And does not take its place, even with its instance.
    const late = await rogue(extensionUrl(hub, "same"));
    late.send({ method: "hello", params: { userAgent: "x", product: "Chrome/1" } });
    await late.closed;
    const client = await CdpClient.connect(`${hub.relayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    await client.result("Runtime.evaluate", { expression: "1" }, client.session("T1"));
    expect(real.cdp(1)).toContain("Runtime.evaluate");
    for (const { received } of rogues) expect(received).toEqual([]);
  });

  it("can neither send much nor wait for long before it has proved itself", async () => {
    const hub = await testHub();
    const large = await rogue(extensionUrl(hub));
    large.socket.send(Buffer.alloc(50_000_000, "x"));
    expect(await large.closed).toMatch(/^1006/);
    const fragments = await rogue(`${hub.consoleUrl}/`);
    for (let i = 0; i < 10; i++) fragments.socket.send("x".repeat(1_000), { fin: false });
    expect(await fragments.closed).toMatch(/^1006/);
    const silent = await rogue(extensionUrl(hub));
    expect(await silent.closed).toMatch(/^1006/);
  });
});

describe("V8, V14: a program without the token on the console wire", () => {
  it("writes no line into a tab, and gets an error that says what it needs", async () => {
    const hub = await testHub();
    const socket = new WebSocket(hub.consoleUrl);
    onTestFinished(() => socket.terminate());
    const received: { type: string; payload: { code?: string; message?: string } }[] = [];
    socket.on("message", (data) => received.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once("open", resolve));
    const envelope = { version: "1.0.0", timestamp: new Date().toISOString(), source: SOURCE };
    const send = (type: string, payload: object): void =>
      socket.send(JSON.stringify({ ...envelope, type, payload }));
    send("connection_status", { status: "connected" });
    send("console_event", { method: "log", args: [{ type: "string", value: "forged" }] });
    await new Promise((resolve) => socket.once("close", resolve));
    expect(received).toMatchObject([{ type: "error", payload: { code: "AUTH_REQUIRED" } }]);
    expect(received[0]?.payload.message).toContain("--auth none");
    expect(await (await hub.api("/v1/sessions")).json()).toMatchObject({ sessions: [] });
  });

  it("is served when it sends the token, or when the hub was started with --auth none", async () => {
    const hub = await testHub();
    const withToken = await ConsoleClient.greeted(hub.consoleUrl);
    withToken.log("mine");
    await withToken.settled();
    const open = await testHub({ auth: "none" });
    const stranger = await ConsoleClient.greeted(open.consoleUrl);
    stranger.log("anyone's");
    await stranger.settled();
    const paired = await rogue(open.consoleUrl);
    await proveAsExtension(paired.socket, "console", pairingKeyOf(open.consoleUrl));
  });
});

describe("--auth none", () => {
  it("opens no tab: extension, CDP and pairing still need their proof", async () => {
    const hub = await testHub({ auth: "none" });
    const { send, closed } = await rogue(extensionUrl(hub));
    send({ method: "hello", params: { userAgent: "Chrome", product: "Chrome/1" } });
    expect(await closed).toMatch(/^1008 /);
    await expect(CdpClient.connect(`${hub.relayUrl}/cdp`)).rejects.toThrow("HTTP 401");
    for (const path of ["/v1/pairing", "/v1/pairing/", "/v1/pairing/answer", "/v1//pairing"]) {
      const response = await fetch(`${hub.url}${path}`, { method: "POST", body: '{"same":true}' });
      expect([path, response.status >= 400]).toEqual([path, true]);
    }
    await expect(rogue(`${hub.relayUrl}/pair`)).rejects.toThrow();
  });

  it("offers the tabs of the paired extension to nobody without the token", async () => {
    const hub = await testHub({ auth: "none" });
    const extension = await FakeExtension.connect(hub.relayUrl, [tab(1)]);
    await until(async () => (await health(hub)).tabs === 1);
    expect(await (await fetch(`${hub.url}/v1/sessions`)).json()).toMatchObject({ sessions: [] });
    const agent = await hub.agent("tab-1", { token: "" });
    const result = await agent.command({ type: "evaluate", code: "document.cookie" });
    expect(result).toMatchObject({ success: false, error: "app_not_connected" });
    expect(extension.cdp()).toEqual([]);
    const client = await CdpClient.connect(`${hub.relayUrl}/cdp?token=${hub.token}`);
    await client.attachAll();
    expect(client.session("T1")).toBeTruthy();
  });
});
