import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, PAIRING } from "../../test/fake-socket.js";
import { DEFAULT_HUB } from "../connection/address.js";
import { WireConnection } from "../connection/wire-connection.js";
import { ConsoleWire } from "./console-wire.js";

function setUp() {
  const sockets: FakeSocket[] = [];
  const errors: string[] = [];
  const ends: string[] = [];
  const ready = vi.fn();
  const lost = vi.fn();
  const wire = new ConsoleWire({
    clientInfo: async () => ({ extensionVersion: "0.1.0", browser: "Chrome", browserVersion: "156" }),
    onReady: ready,
    onLost: lost,
    onDetails: () => {},
    logError: (text) => errors.push(text),
  });
  const connection = new WireConnection(wire, {
    pairing: PAIRING,
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    onState: () => {},
    onEnd: (_url, reason) => ends.push(reason),
  });
  const newest = (): FakeSocket => sockets.at(-1) as FakeSocket;
  const receive = (type: string, payload: object, version = "1.0.0"): void =>
    newest().receive({ version, type, timestamp: "2026-01-01T00:00:00Z", payload });
  const completeHandshake = async (): Promise<void> => {
    await newest().open();
    await vi.advanceTimersByTimeAsync(0);
    receive("connection_status", { status: "connected", clientInfo: { cliVersion: "0.1.0" } });
  };
  return { wire, connection, sockets, newest, errors, ends, ready, lost, receive, completeHandshake };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the console wire", () => {
  it("introduces itself first, and is ready when the hub has replied", async () => {
    const { wire, connection, newest, ready, completeHandshake } = setUp();
    connection.connect(DEFAULT_HUB);
    wire.send("too early");
    await completeHandshake();
    expect(newest().url).toBe("ws://127.0.0.1:9223");
    expect(newest().sent.map(({ type }) => type)).toEqual(["connection_status", "ping"]);
    expect(ready).toHaveBeenCalledOnce();
    expect(connection.state.status).toBe("connected");
    expect(wire.details.hubVersion).toBe("0.1.0");
  });

  it("[CON-057, CON-058] tries again after 1, 2, 4, 8 and 16 seconds, then stops until it is asked", async () => {
    const { connection, sockets, newest } = setUp();
    connection.connect(DEFAULT_HUB);
    for (const [index, seconds] of [1, 2, 4, 8, 16].entries()) {
      newest().break();
      expect(connection.state).toMatchObject({ status: "waiting", retries: index + 1 });
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(sockets.length).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets.length).toBe(index + 2);
    }
    newest().break();
    expect(connection.state).toMatchObject({
      status: "failed",
      lastError: expect.stringContaining("ws://127.0.0.1:9223"),
    });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sockets.length).toBe(6);
    connection.wake();
    expect(sockets.length).toBe(7);
  });

  it("[CON-044] reports reconnecting with the reason before it is connected again", async () => {
    const { connection, newest, ends, completeHandshake } = setUp();
    connection.connect(DEFAULT_HUB);
    await completeHandshake();
    newest().onclose?.({ code: 1001, reason: "the hub is shutting down" });
    await vi.advanceTimersByTimeAsync(1_000);
    await completeHandshake();
    expect(newest().sent.slice(0, 2)).toMatchObject([
      {
        type: "connection_status",
        payload: { status: "reconnecting", reason: expect.stringContaining("the hub is shutting down") },
      },
      { type: "connection_status", payload: { status: "connected" } },
    ]);
    expect(ends).toEqual([expect.stringContaining("the hub is shutting down")]);
  });

  it("[CON-044] reports disconnected with the reason before it closes the connection itself", async () => {
    const { connection, sockets, ends, completeHandshake } = setUp();
    connection.connect(DEFAULT_HUB);
    await completeHandshake();
    connection.restart({ ...DEFAULT_HUB, consolePort: 5 }, "the address was changed");
    expect(sockets[0]?.sent.at(-1)).toMatchObject({
      type: "connection_status",
      payload: { status: "disconnected", reason: "the address was changed" },
    });
    expect(sockets[0]?.isClosed).toBe(true);
    await completeHandshake();
    expect(sockets[1]?.sent[0]?.payload.status).toBe("connected");
    expect(ends).toEqual(["the address was changed"]);
  });

  it("gives up on a hub that does not introduce itself, and on one that stops answering", async () => {
    const { connection, newest, lost, completeHandshake } = setUp();
    connection.connect(DEFAULT_HUB);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(connection.state.status).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    await completeHandshake();
    const socket = newest();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(socket.isClosed).toBe(true);
    expect(lost).toHaveBeenCalledOnce();
    expect(connection.state.lastError).toContain("did not answer a ping within 15 s");
  });

  it("answers pings, and pings an idle hub", async () => {
    const { wire, connection, newest, receive, completeHandshake } = setUp();
    connection.connect(DEFAULT_HUB);
    await completeHandshake();
    receive("ping", { id: "abc" });
    expect(newest().sent.at(-1)).toMatchObject({ type: "pong", payload: { id: "abc" } });
    const first = newest().sent.find(({ type }) => type === "ping");
    receive("pong", { id: first?.payload.id });
    await vi.advanceTimersByTimeAsync(0);
    expect(wire.details.latencyMs).toBeTypeOf("number");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(newest().sent.filter(({ type }) => type === "ping").length).toBe(2);
  });

  it("sends nothing to a hub of another major version, and keeps listening", async () => {
    const { connection, newest, ready, receive } = setUp();
    connection.connect(DEFAULT_HUB);
    await newest().open();
    receive("connection_status", { status: "connected" }, "2.0.0");
    expect(ready).not.toHaveBeenCalled();
    expect(connection.state).toMatchObject({
      status: "incompatible",
      advice: expect.stringContaining("update the extension"),
    });
    expect(newest().sent.at(-1)).toMatchObject({ type: "error", payload: { code: "UNSUPPORTED_VERSION" } });
    receive("ping", { id: "still there" });
    expect(newest().sent.at(-1)).toMatchObject({ type: "pong" });
  });

  it("counts messages that it cannot read, and continues", async () => {
    const { wire, connection, newest, errors, receive } = setUp();
    connection.connect(DEFAULT_HUB);
    await newest().open();
    newest().onmessage?.({ data: "no json" });
    receive("error", { code: "INVALID_MESSAGE", message: "bad args" });
    expect(wire.details).toMatchObject({ messageErrors: 2, lastMessageError: "INVALID_MESSAGE: bad args" });
    expect(errors.length).toBe(2);
    receive("connection_status", { status: "connected", clientInfo: { cliVersion: "0.1.0" } });
    expect(connection.state.status).toBe("connected");
    expect(wire.details.messageErrors).toBe(2);
    expect(wire.details).not.toHaveProperty("lastMessageError");
  });
});
