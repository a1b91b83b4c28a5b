import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { SocketLink } from "./socket-link.js";

/** A link over a real socket, and the client at its other end. */
async function linked(options: {
  autoPong: boolean;
}): Promise<{ link: SocketLink; client: WebSocket; received: string[] }> {
  const server = createServer();
  const wss = new WebSocketServer({ noServer: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const made = new Promise<SocketLink>((resolve) => {
    server.on("upgrade", (request, socket, head) => {
      wss.handleUpgrade(request, socket, head, (ws) => {
        const link = new SocketLink(ws, socket);
        ws.on("pong", () => {
          link.alive = true;
        });
        resolve(link);
      });
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  const received: string[] = [];
  client.on("message", (data) => received.push(String(data)));
  await once(client, "open");
  return { link: await made, client, received };
}

describe("a link over a socket", () => {
  it("keeps a peer that answers pings, and ends one that does not", async () => {
    const good = await linked({ autoPong: true });
    for (let round = 0; round < 3; round++) {
      good.link.checkAlive();
      while (!good.link.alive) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(good.client.readyState).toBe(WebSocket.OPEN);
    const dead = await linked({ autoPong: false });
    dead.link.checkAlive();
    dead.link.checkAlive();
    const [code] = await once(dead.client, "close");
    expect(code).toBe(1006);
  });

  it("sends what is sent in one turn together, in order", async () => {
    const { link, client, received } = await linked({ autoPong: true });
    const texts = Array.from({ length: 500 }, (_, i) => `message ${i}`);
    for (const text of texts) link.send(text);
    while (received.length < texts.length) await once(client, "message");
    expect(received).toEqual(texts);
  });

  it("sends a reply before the turn ends, in order with what is sent around it", async () => {
    const { link, client, received } = await linked({ autoPong: true });
    link.sendReply("reply");
    // Nothing else of this turn has run, and it has left.
    expect(link.buffered).toBe(0);
    link.send("event");
    link.sendReply("another reply");
    expect(link.buffered).toBeGreaterThan(0);
    while (received.length < 3) await once(client, "message");
    expect(received).toEqual(["reply", "event", "another reply"]);
  });

  it("sends nothing after it closed", async () => {
    const { link, client, received } = await linked({ autoPong: true });
    link.close(1000, "done");
    link.send("late");
    const [code] = await once(client, "close");
    expect([code, received]).toEqual([1000, []]);
  });
});
