import { importPairingKey } from "@debug-bridge/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, PAIRING } from "../../test/fake-socket.js";
import { DEFAULT_HUB, relayUrl } from "./address.js";
import type { Wire } from "./wire.js";
import { type PairingSource, WireConnection } from "./wire-connection.js";

function setUp(pairing: PairingSource = PAIRING) {
  const sockets: FakeSocket[] = [];
  const received: unknown[] = [];
  const wire: Wire = {
    name: "relay",
    policy: { firstMs: 50, maxMs: 50, maxRetries: 3, maxFirstRetries: 3, random: () => 1 },
    handshakeTimeoutMs: 5_000,
    url: relayUrl,
    onOpen: (link) => {
      link.send('{"method":"hello"}');
      link.ready();
    },
    onMessage: (data) => received.push(data),
    onEnd: () => {},
  };
  const connection = new WireConnection(wire, {
    pairing,
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    onState: () => {},
    onEnd: () => {},
  });
  connection.connect(DEFAULT_HUB);
  return { connection, sockets, received };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a connection", () => {
  it("is opened to the wire after the proof, and not before", async () => {
    const { connection, sockets, received } = setUp();
    sockets[0]?.onopen?.();
    expect(sockets[0]?.sent).toEqual([]);
    sockets[0]?.receive({ id: 1, method: "listTabs" });
    expect(connection.state.status).toBe("unpaired");
    await vi.advanceTimersByTimeAsync(1_000);
    await sockets[1]?.open();
    expect(sockets[1]?.sent).toEqual([{ method: "hello" }]);
    expect(connection.state.status).toBe("connected");
    sockets[1]?.receive({ id: 2 });
    expect(received).toEqual(['{"id":2}']);
  });

  it("proves nothing to a program that does not know the key, and asks it less and less often", async () => {
    const stranger = await importPairingKey("00".repeat(32));
    const { connection, sockets } = setUp();
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      await sockets.at(-1)?.open(stranger);
      expect(sockets.at(-1)?.handshake.map(({ method }) => method)).toEqual(["pairHello"]);
      expect(sockets.at(-1)?.isClosed).toBe(true);
      const { state } = connection;
      if (state.status !== "unpaired") throw new Error(`it is ${state.status}`);
      expect(state.advice).toContain("did not prove that it is your hub");
      delays.push(state.retryAt - Date.now());
      await vi.advanceTimersByTimeAsync(delays.at(-1) ?? 0);
    }
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[0]).toBeLessThanOrEqual(1_000);
    expect(delays.at(-1)).toBeGreaterThan(15_000);
  });

  it("is not opened without a key, and is when there is one", async () => {
    const pairing: { key: CryptoKey | undefined; reload(): Promise<void> } = {
      key: undefined,
      reload: async () => {},
    };
    const { connection, sockets } = setUp(pairing);
    expect(sockets).toEqual([]);
    expect(connection.state).toMatchObject({
      status: "unpaired",
      advice: expect.stringContaining("debug-bridge extension"),
    });
    pairing.key = PAIRING.key;
    await vi.advanceTimersByTimeAsync(1_000);
    await sockets[0]?.open();
    expect(connection.state.status).toBe("connected");
  });
});
