import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HubLink, type SocketLike } from "./socket.js";

class Socket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  readonly sent: { type: string; payload: Record<string, unknown> }[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  hear(type: string, payload: object, version = "1.0.0"): void {
    this.onmessage?.({ data: JSON.stringify({ version, type, timestamp: "2026-01-01T00:00:00Z", payload }) });
  }
}

function linked() {
  const sockets: Socket[] = [];
  const errors: string[] = [];
  const ready = vi.fn();
  const lost = vi.fn();
  const link = new HubLink({
    open: () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket;
    },
    clientInfo: async () => ({ extensionVersion: "0.1.0", browser: "Chrome", browserVersion: "156" }),
    onState: () => {},
    onReady: ready,
    onLost: lost,
    logError: (text) => errors.push(text),
  });
  const newest = (): Socket => sockets.at(-1) as Socket;
  const shakeHands = async (): Promise<void> => {
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    newest().hear("connection_status", { status: "connected", clientInfo: { cliVersion: "0.1.0" } });
  };
  return { link, sockets, newest, errors, ready, lost, shakeHands };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("HubLink", () => {
  it("introduces itself first, and is ready once the hub has done so too", async () => {
    const { link, newest, ready, shakeHands } = linked();
    link.connect("ws://x");
    link.send("too early");
    await shakeHands();
    expect(newest().sent.map(({ type }) => type)).toEqual(["connection_status", "ping"]);
    expect(ready).toHaveBeenCalledOnce();
    expect(link.state.status).toBe("connected");
  });

  it("[CON-057, CON-058] tries again after 1, 2, 4, 8 and 16 seconds, then stops until it is asked", async () => {
    const { link, sockets, newest } = linked();
    link.connect("ws://x");
    for (const [index, seconds] of [1, 2, 4, 8, 16].entries()) {
      newest().onclose?.({ code: 1006, reason: "" });
      expect(link.state).toMatchObject({ status: "waiting", retries: index + 1 });
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(sockets.length).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets.length).toBe(index + 2);
    }
    newest().onclose?.({ code: 1006, reason: "" });
    expect(link.state).toMatchObject({ status: "failed", lastError: expect.stringContaining("ws://x") });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sockets.length).toBe(6);
    link.nudge();
    expect(sockets.length).toBe(7);
  });

  it("waits to be asked when a stopped worker had already given up", () => {
    const { link, sockets } = linked();
    link.standBy("ws://x");
    expect(link.state.status).toBe("failed");
    expect(sockets.length).toBe(0);
    link.nudge();
    expect(sockets.length).toBe(1);
  });

  it("gives up on a hub that does not introduce itself, and on one that stops answering", async () => {
    const { link, newest, lost, shakeHands } = linked();
    link.connect("ws://x");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(link.state.status).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    await shakeHands();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(newest().closed).toBe(true);
    expect(lost).toHaveBeenCalledOnce();
  });

  it("answers pings, and pings an idle hub", async () => {
    const { link, newest, shakeHands } = linked();
    link.connect("ws://x");
    await shakeHands();
    newest().hear("ping", { id: "abc" });
    expect(newest().sent.at(-1)).toMatchObject({ type: "pong", payload: { id: "abc" } });
    const first = newest().sent.find(({ type }) => type === "ping");
    newest().hear("pong", { id: first?.payload.id });
    expect(link.state.latencyMs).toBeTypeOf("number");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(newest().sent.filter(({ type }) => type === "ping").length).toBe(2);
  });

  it("sends nothing to a hub of another major version, and goes on listening", async () => {
    const { link, newest, ready } = linked();
    link.connect("ws://x");
    newest().hear("connection_status", { status: "connected" }, "2.0.0");
    expect(ready).not.toHaveBeenCalled();
    expect(link.state).toMatchObject({
      status: "incompatible",
      upgrade: expect.stringContaining("update the extension"),
    });
    expect(newest().sent.at(-1)).toMatchObject({ type: "error", payload: { code: "UNSUPPORTED_VERSION" } });
    newest().hear("ping", { id: "still there" });
    expect(newest().sent.at(-1)).toMatchObject({ type: "pong" });
  });

  it("counts messages that it cannot read, and goes on", async () => {
    const { link, newest, errors, shakeHands } = linked();
    link.connect("ws://x");
    newest().onmessage?.({ data: "no json" });
    newest().hear("error", { code: "INVALID_MESSAGE", message: "bad args" });
    expect(link.state.messageErrors).toBe(2);
    expect(errors.length).toBe(2);
    await shakeHands();
    expect(link.state).toMatchObject({ status: "connected", messageErrors: 2 });
  });
});
