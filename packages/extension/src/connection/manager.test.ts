import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, PAIRING } from "../../test/fake-socket.js";
import { consoleUrl, DEFAULT_HUB, relayUrl } from "./address.js";
import { ConnectionManager, type ConnectionMemory } from "./manager.js";
import { summarize } from "./summary.js";
import type { Wire, WireName } from "./wire.js";

const SECOND = { ...DEFAULT_HUB, address: "ws://127.0.0.2" };
const NOTHING: ConnectionMemory = { wires: {}, ends: [] };

function simpleWire(name: WireName): Wire & { readonly reasons: (string | undefined)[] } {
  const reasons: (string | undefined)[] = [];
  return {
    name,
    reasons,
    policy: { firstMs: 1_000, maxMs: 1_000, maxRetries: 1, maxFirstRetries: 1, random: () => 1 },
    handshakeTimeoutMs: 5_000,
    url: name === "console" ? consoleUrl : relayUrl,
    onOpen: (link, lostReason) => {
      reasons.push(lostReason);
      link.ready();
    },
    onMessage: () => {},
    onEnd: () => {},
  };
}

function setUp(memory: ConnectionMemory = NOTHING) {
  const sockets: FakeSocket[] = [];
  const saved: ConnectionMemory[] = [];
  const debug: string[] = [];
  const wires = { console: simpleWire("console"), relay: simpleWire("relay") };
  const manager = new ConnectionManager(wires, {
    pairing: PAIRING,
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    load: async () => memory,
    save: (newest) => saved.push(newest),
    onChange: () => {},
    debug: (text) => debug.push(text),
  });
  const urls = (): string[] => sockets.map(({ url }) => url);
  return { manager, wires, sockets, saved, debug, urls };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the connections with the hub", () => {
  it("use one address with the port of each wire, and have one state", async () => {
    const { manager, sockets, urls } = setUp();
    await manager.start(DEFAULT_HUB);
    expect(urls()).toEqual(["ws://127.0.0.1:9223", "ws://127.0.0.1:19222"]);
    expect(summarize(manager.states)).toBe("connecting");
    await sockets[0]?.open();
    expect(summarize(manager.states)).toBe("partly-connected");
    await sockets[1]?.open();
    expect(summarize(manager.states)).toBe("connected");
  });

  it("try the other wire at once when one of them is connected", async () => {
    const { manager, sockets } = setUp();
    await manager.start(DEFAULT_HUB);
    sockets[0]?.break();
    expect(manager.states.console.status).toBe("waiting");
    await sockets[1]?.open();
    expect(manager.states.console.status).toBe("connecting");
    expect(sockets.length).toBe(3);
  });

  it("log and keep each end with its reason", async () => {
    const { manager, sockets, saved, debug } = setUp();
    await manager.start(DEFAULT_HUB);
    await sockets[0]?.open();
    sockets[0]?.break();
    expect(manager.ends).toMatchObject([
      { wire: "console", reason: "the connection to ws://127.0.0.1:9223 was interrupted" },
    ]);
    expect(saved.at(-1)?.ends).toEqual(manager.ends);
    expect(debug).toEqual([expect.stringContaining("the console connection ended")]);
  });

  it("keep a wire connected whose address stays the same", async () => {
    const { manager, sockets, urls } = setUp();
    await manager.start(DEFAULT_HUB);
    for (const socket of sockets) await socket.open();
    manager.setHub({ ...DEFAULT_HUB, consolePort: 5 });
    expect(urls().slice(2)).toEqual(["ws://127.0.0.1:5"]);
    expect(sockets[0]?.isClosed).toBe(true);
    expect(sockets[1]?.isClosed).toBe(false);
  });

  it("are restored by the next worker: a lost one with its reason, a failed one with few attempts", async () => {
    const { manager, wires, sockets, urls } = setUp({
      wires: {
        console: { url: consoleUrl(DEFAULT_HUB), status: "failed" },
        relay: { url: relayUrl(DEFAULT_HUB), status: "connected" },
      },
      ends: [],
    });
    await manager.start(DEFAULT_HUB);
    expect(manager.states.console.status).toBe("failed");
    expect(urls()).toEqual(["ws://127.0.0.1:19222"]);
    manager.wake();
    expect(urls()).toEqual(["ws://127.0.0.1:19222", "ws://127.0.0.1:9223"]);
    sockets[1]?.break();
    expect(manager.states.console.status).toBe("failed");
    await sockets[0]?.open();
    expect(wires.relay.reasons).toEqual(["Chrome restarted the extension's worker"]);
  });

  it("go on with the next hub at once when theirs is lost, both with the same one", async () => {
    const { manager, sockets, urls, saved } = setUp();
    await manager.start(DEFAULT_HUB, [SECOND]);
    for (const socket of sockets) await socket.open();
    sockets[0]?.break();
    // The other wire is still connected: it may be the wire and not the hub.
    expect(manager.states.console.status).toBe("waiting");
    sockets[1]?.break();
    expect(urls().slice(2)).toEqual(["ws://127.0.0.2:19222"]);
    await sockets[2]?.open();
    expect(urls().slice(3)).toEqual(["ws://127.0.0.2:9223"]);
    await sockets[3]?.open();
    expect(summarize(manager.states)).toBe("connected");
    expect(saved.at(-1)?.wires.relay).toEqual({ url: "ws://127.0.0.2:19222", status: "connected" });
    // A list that still has it changes nothing.
    manager.setHub(DEFAULT_HUB, [SECOND, { ...DEFAULT_HUB, relayPort: 5 }]);
    expect(sockets.length).toBe(4);
  });

  it("try one hub after the other until one answers, and the next worker begins with that one", async () => {
    const { manager, sockets, urls } = setUp();
    await manager.start(DEFAULT_HUB, [SECOND]);
    for (const socket of [...sockets]) socket.break();
    vi.advanceTimersByTime(1_000);
    expect(new Set(urls().slice(2))).toEqual(new Set(["ws://127.0.0.2:9223", "ws://127.0.0.2:19222"]));
    const next = setUp({
      wires: { relay: { url: relayUrl(SECOND), status: "connected" } },
      ends: [],
    });
    await next.manager.start(DEFAULT_HUB, [SECOND]);
    expect(next.urls()).toEqual(["ws://127.0.0.2:9223", "ws://127.0.0.2:19222"]);
  });

  it("start over when a person asks", async () => {
    const { manager, sockets } = setUp({
      wires: {
        console: { url: consoleUrl(DEFAULT_HUB), status: "failed" },
        relay: { url: relayUrl(DEFAULT_HUB), status: "failed" },
      },
      ends: [],
    });
    await manager.start(DEFAULT_HUB);
    sockets[0]?.break();
    expect(summarize(manager.states)).toBe("failed");
    manager.retry();
    for (const socket of sockets.slice(1)) socket.break();
    expect(summarize(manager.states)).toBe("waiting");
  });
});
