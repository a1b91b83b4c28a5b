import { describe, expect, it, vi } from "vitest";
import { FakeSocket, PAIRING } from "../../test/fake-socket.js";
import { DEFAULT_HUB } from "../connection/address.js";
import { WireConnection } from "../connection/wire-connection.js";
import { type AccessSettings, DEFAULT_ACCESS } from "../settings/access.js";
import { RelayWire } from "./relay-wire.js";

function setUp() {
  const access: { -readonly [Key in keyof AccessSettings]: AccessSettings[Key] } = { ...DEFAULT_ACCESS };
  const sockets: FakeSocket[] = [];
  const onRequest = vi.fn();
  const wire = new RelayWire({
    instance: () => "a b",
    browser: () => ({ product: "Chrome" }),
    access: () => access,
    onRequest,
    onTabUsage: () => {},
    onStatus: () => {},
  });
  const connection = new WireConnection(wire, {
    pairing: PAIRING,
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    onState: () => {},
    onEnd: () => {},
  });
  connection.connect(DEFAULT_HUB);
  return { access, wire, connection, sockets, onRequest, socket: sockets[0] as FakeSocket };
}

describe("the relay wire", () => {
  it("introduces the browser, then sends the events that waited", async () => {
    const { wire, socket } = setUp();
    wire.notify("tabClosed", { tabId: 1 });
    await socket.open();
    wire.notify("tabClosed", { tabId: 2 });
    expect(socket.url).toBe("ws://127.0.0.1:19222/extension?instance=a%20b");
    expect(socket.sent).toEqual([
      { method: "hello", params: { product: "Chrome" } },
      { method: "accessChanged", params: { readOnly: false } },
      { method: "tabClosed", params: { tabId: 1 } },
      { method: "tabClosed", params: { tabId: 2 } },
    ]);
  });

  it("reports the person's settings again when they change", async () => {
    const { access, wire, socket } = setUp();
    wire.reportAccess();
    await socket.open();
    access.readOnly = true;
    wire.reportAccess();
    expect(socket.sent.filter(({ method }) => method === "accessChanged")).toEqual([
      { method: "accessChanged", params: { readOnly: false } },
      { method: "accessChanged", params: { readOnly: true } },
    ]);
  });

  it("replies only on the connection that asked", async () => {
    const { connection, sockets, onRequest, socket } = setUp();
    await socket.open();
    socket.receive({ id: 7, method: "listTabs" });
    const [method, params, reply] = onRequest.mock.calls[0] as [string, object, (result: unknown) => void];
    expect([method, params]).toEqual(["listTabs", {}]);
    connection.restart(DEFAULT_HUB, "test");
    await sockets[1]?.open();
    reply([]);
    expect([...socket.sent, ...(sockets[1]?.sent ?? [])]).not.toContainEqual({ id: 7, result: [] });
  });

  it("survives messages of any shape", async () => {
    const { socket, onRequest } = setUp();
    await socket.open();
    for (const data of ["x", "null", "1", '{"id":1,"method":{},"params":5}', '{"method":"tabUsage"}'])
      socket.onmessage?.({ data });
    expect(onRequest).toHaveBeenCalledOnce();
  });

  it("forgets waiting events when there is no relay", async () => {
    vi.useFakeTimers();
    try {
      const { wire, connection, sockets } = setUp();
      wire.notify("tabClosed", { tabId: 1 });
      while (connection.state.status !== "failed") {
        sockets.at(-1)?.break();
        vi.advanceTimersByTime(1_000);
      }
      connection.wake();
      await sockets.at(-1)?.open();
      expect(sockets.at(-1)?.sent.map(({ method }) => method)).toEqual(["hello", "accessChanged"]);
    } finally {
      vi.useRealTimers();
    }
  });
});
