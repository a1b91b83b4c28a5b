import { describe, expect, it, vi } from "vitest";
import { FakeSocket, PAIRING } from "../../test/fake-socket.js";
import { DEFAULT_HUB } from "../connection/address.js";
import { WireConnection } from "../connection/wire-connection.js";
import { FULL_ACCESS } from "../settings/access.js";
import type { ShareSettings } from "./access/sharing.js";
import { RelayWire } from "./relay-wire.js";

function setUp() {
  const settings: { -readonly [Key in keyof ShareSettings]: ShareSettings[Key] } = {
    share: "chosen",
    access: FULL_ACCESS,
  };
  const sockets: FakeSocket[] = [];
  const onRequest = vi.fn();
  const onClientsWaiting = vi.fn();
  const wire = new RelayWire({
    instance: () => "a b",
    browser: () => ({ product: "Chrome" }),
    settings: () => settings,
    onRequest,
    onTabUsage: () => {},
    onClientsWaiting,
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
  return {
    settings,
    wire,
    connection,
    sockets,
    onRequest,
    onClientsWaiting,
    socket: sockets[0] as FakeSocket,
  };
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
      { method: "accessChanged", params: { share: "chosen", access: { level: "full" } } },
      { method: "tabClosed", params: { tabId: 1 } },
      { method: "tabClosed", params: { tabId: 2 } },
    ]);
  });

  it("reports the person's settings again when they change", async () => {
    const { settings, wire, socket } = setUp();
    wire.reportAccess();
    await socket.open();
    settings.access = { level: "site", site: "shop.test" };
    wire.reportAccess();
    expect(socket.sent.filter(({ method }) => method === "accessChanged")).toEqual([
      { method: "accessChanged", params: { share: "chosen", access: { level: "full" } } },
      { method: "accessChanged", params: { share: "chosen", access: { level: "site", site: "shop.test" } } },
    ]);
  });

  it("reads who waits, and ignores what is no name", async () => {
    const { socket, onClientsWaiting } = setUp();
    await socket.open();
    const params = { clients: ["Playwright 1.65", 7], dashboard: "http://127.0.0.1:4000/" };
    socket.receive({ method: "clientsWaiting", params });
    expect(onClientsWaiting).toHaveBeenCalledWith(["Playwright 1.65"], "http://127.0.0.1:4000/");
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

  it("forgets waiting events when there is no relay, and connects again when it is woken [REL-029]", async () => {
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
