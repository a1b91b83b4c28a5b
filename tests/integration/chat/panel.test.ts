import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pairingKey } from "@debug-bridge/client/files";
import {
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPairingKey,
  importPanelKey,
  panelTicket,
} from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents/agents.js";
import { chatApi } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";

const ORIGIN = `chrome-extension://${"abcdefghijklmnop".repeat(2)}`;

const post = (hub: TestHub, path: string, body: object, origin = ORIGIN): Promise<Response> =>
  fetch(`${hub.first.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { origin } });

interface Page {
  readonly handshake: Handshake;
  readonly hubProof: string;
}

async function greet(hub: TestHub): Promise<Page> {
  const extensionNonce = createPairingHex();
  const { nonce, proof } = (await (
    await post(hub, "/panel/hello", { version: 1, nonce: extensionNonce })
  ).json()) as {
    nonce: string;
    proof: string;
  };
  const address = new URL(hub.first.url).host;
  return { hubProof: proof, handshake: { wire: "panel", address, extensionNonce, hubNonce: nonce } };
}

const ask = (hub: TestHub, path: string, ticket: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${hub.first.url}${path}`, {
    ...init,
    headers: { origin: ORIGIN, authorization: `Panel ${ticket}` },
  });

/** Proves itself as a page of the extension and returns its ticket. */
async function admitted(hub: TestHub): Promise<string> {
  const key = await importPanelKey(pairingKey(hub.home) ?? "");
  const { handshake, hubProof } = await greet(hub);
  expect(await checkProof(key, "hub", handshake, hubProof)).toBe(true);
  const proof = await createProof(key, "extension", handshake);
  expect((await post(hub, "/panel/prove", { nonce: handshake.hubNonce, proof })).status).toBe(200);
  return panelTicket(key, handshake);
}

describe("a page of the extension", () => {
  it("uses its chats after both ends have proved themselves, without the token", async () => {
    const hub = await testHub({ chatProviders: [controlledProvider()] });
    const ticket = await admitted(hub);
    const created = await ask(hub, "/v1/chats", ticket, { method: "POST", body: "{}" });
    const { id } = (await created.json()) as { id: string };
    const run = await ask(hub, `/v1/chats/${id}/runs`, ticket, { method: "POST", body: '{"message":"hi"}' });
    expect(run.status).toBe(202);
    const { runId } = (await run.json()) as { runId: string };
    const stream = await ask(hub, `/events?sessionId=${id}`, ticket);
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    const decision = { method: "POST", body: '{"decision":"once"}' };
    expect((await ask(hub, `/v1/chats/${id}/approvals/none`, ticket, decision)).status).toBe(404);
    const feed = await ask(hub, "/v1/chats/feed", ticket);
    expect(feed.status).toBe(200);
    await feed.body?.cancel();
    expect((await ask(hub, `/v1/runs/${runId}/stop`, ticket, { method: "POST" })).status).toBe(200);
    expect((await ask(hub, "/v1/sessions", ticket)).status).toBe(200);
    expect((await ask(hub, "/v1/chat-approvals", ticket)).status).toBe(200);
    const origin = encodeURIComponent("http://localhost:1");
    expect((await ask(hub, `/v1/chat-approvals/${origin}`, ticket, { method: "DELETE" })).status).toBe(404);
  });

  it("gets nothing beyond chats, the list of sessions and their records", async () => {
    const hub = await testHub();
    await hub.app("shop");
    const ticket = await admitted(hub);
    const click = { method: "POST", body: '{"type":"click","target":{"ref":"e1"}}' };
    expect((await ask(hub, "/v1/sessions/shop/commands", ticket, click)).status).toBe(403);
    expect((await ask(hub, "/v1/pairing", ticket, { method: "POST" })).status).toBe(403);
    for (const path of ["", "/shop", "/shop/events?since=0"])
      expect((await ask(hub, `/v1/sessions${path}`, ticket)).status, path).toBe(200);
    for (const path of [
      "picture",
      "outline",
      "frames",
      "frames/live",
      "replay",
      "share",
      "source?url=x",
      "stream",
    ])
      expect((await ask(hub, `/v1/sessions/shop/${path}`, ticket)).status, path).toBe(403);
    for (const path of ["stream", "recordings", "settings", "project-file?session=shop&at=x"])
      expect((await ask(hub, `/v1/${path}`, ticket)).status, path).toBe(403);
  });

  it("pauses, steps and stops the agent of a chat that runs, and sends no other command, to no other session", async () => {
    const provider = controlledProvider();
    const hub = await testHub({ chatProviders: [provider] });
    await hub.app("shop");
    const ticket = await admitted(hub);
    const api = chatApi(hub.url, hub.token);
    const [{ id: own }, { id: other }] = [
      await startAgent(hub.chatHome, busyTurns(2_000)),
      await startAgent(hub.chatHome, busyTurns(2_000)),
    ];
    for (const each of [own, other]) await until(async () => (await api.call(`/v1/sessions/${each}`)).ok);
    const { id } = await api.create();
    const send = async (session: string, type: string, data: object = {}): Promise<number> => {
      const body = JSON.stringify({ type, data });
      return (await ask(hub, `/v1/sessions/${session}/commands`, ticket, { method: "POST", body })).status;
    };
    expect(await send(own, "pause")).toBe(403);
    const runId = await api.say(id, "hi");
    const turn = await until(() => provider.turns[0]);
    turn.emit({ type: "step", id: "agent", kind: "agent", title: "debugged", status: "done", detail: own });
    await until(async () => (await send(own, "pause")) === 200);
    expect(await send(own, "breakpoint", { action: "list" })).toBe(200);
    expect(await send(own, "step")).toBe(200);
    expect(await send(own, "resume")).toBe(200);
    for (const type of ["inject_message", "set_variable", "inspect", "rewind", "acquire_lease", "click"])
      expect(await send(own, type), type).toBe(403);
    for (const session of [other, "shop", "none"]) expect(await send(session, "pause"), session).toBe(403);
    turn.end();
    await api.ended(id, runId);
    expect(await send(own, "pause")).toBe(403);
  });

  it("is refused with a wrong key, a proof of another connection, or a ticket of another hub", async () => {
    const hub = await testHub();
    const key = await importPanelKey(pairingKey(hub.home) ?? "");
    const prove = async (
      { handshake }: Page,
      with_: CryptoKey,
      change: Partial<Handshake> = {},
    ): Promise<number> => {
      const proof = await createProof(with_, "extension", { ...handshake, ...change });
      return (await post(hub, "/panel/prove", { nonce: handshake.hubNonce, proof })).status;
    };
    expect(await prove(await greet(hub), await importPanelKey(createPairingHex()))).toBe(401);
    // The pairing key itself is not the key of the panel, and a proof for another wire or port is none for this one.
    expect(await prove(await greet(hub), await importPairingKey(pairingKey(hub.home) ?? ""))).toBe(401);
    expect(await prove(await greet(hub), key, { wire: "relay" })).toBe(401);
    expect(await prove(await greet(hub), key, { address: "127.0.0.1:1" })).toBe(401);
    const page = await greet(hub);
    expect(await prove(page, key)).toBe(200);
    expect(await prove(page, key)).toBe(401);
    const ticket = await panelTicket(key, page.handshake);
    const other = await testHub({ home: hub.home, announce: false });
    expect((await ask(hub, "/v1/chats", ticket)).status).toBe(200);
    expect((await ask(other, "/v1/chats", ticket)).status).toBe(401);
    for (const wrong of ["x", "0".repeat(64), hub.first.token])
      expect((await ask(hub, "/v1/chats", wrong)).status).toBe(401);
  });

  it("is not a page of the web, and loses its access when the pairing key is replaced", async () => {
    const hub = await testHub();
    for (const origin of ["https://evil.example", "http://localhost:3000", "null", "chrome-extension://x"])
      expect(
        (await post(hub, "/panel/hello", { version: 1, nonce: createPairingHex() }, origin)).status,
      ).toBe(403);
    expect((await post(hub, "/panel/hello", { version: 1, nonce: "x" })).status).toBe(400);
    expect((await post(hub, "/panel/hello", { version: 1, nonce: "0".repeat(5_000) })).status).toBe(413);
    const ticket = await admitted(hub);
    const foreign = { origin: "http://localhost:3000", authorization: `Panel ${ticket}` };
    expect((await fetch(`${hub.first.url}/v1/chats`, { headers: foreign })).status).toBe(403);
    expect((await ask(hub, "/v1/chats", ticket)).status).toBe(200);
    writeFileSync(join(hub.home, "pairing-key"), createPairingHex());
    await until(async () => (await ask(hub, "/v1/chats", ticket)).status === 401);
    expect((await chatApi(hub.first.url, hub.first.token).call("/v1/chats")).status).toBe(200);
  });
});
