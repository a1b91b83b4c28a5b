import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { HUB_LIMITS } from "../bounds/limits.js";
import { SocketLink } from "./socket-link.js";
import { READER_SOCKET_OPTIONS, SocketReader } from "./socket-reader.js";

const MIB = 1024 * 1024;
const REQUESTS = 40_000;
const ANSWER = "x".repeat(1_000);

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers every message with a kilobyte, and a peer of it. */
async function connected(): Promise<{ peer: WebSocket; link: SocketLink; handled: () => number }> {
  const server = createServer();
  const sockets = new WebSocketServer(READER_SOCKET_OPTIONS);
  let handled = 0;
  const linked = new Promise<SocketLink>((resolve) => {
    server.on("upgrade", (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (ws) => {
        const link = new SocketLink(ws, socket, HUB_LIMITS.unread.cdp);
        new SocketReader(ws, socket, link, {
          isOpen: false,
          onMessage: (data) => {
            handled++;
            link.send(`${data} ${ANSWER}`);
          },
          onClose: () => {},
        });
        resolve(link);
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closers.push(() => {
    peer.terminate();
    server.close();
  });
  await once(peer, "open");
  return { peer, link: await linked, handled: () => handled };
}

test("a peer that does not read is not read either, and gets every answer when it does", async () => {
  const { peer, link, handled } = await connected();
  peer.pause();
  for (let i = 0; i < REQUESTS; i++) peer.send(String(i));
  let last = -1;
  let highest = 0;
  // Until it stands still: it answers nothing more, although most requests were sent.
  while (handled() === 0 || handled() !== last) {
    last = handled();
    await new Promise((resolve) => setTimeout(resolve, 200));
    highest = Math.max(highest, link.buffered);
  }
  expect(last).toBeLessThan(REQUESTS / 2);
  expect(highest).toBeLessThan(5 * MIB);
  const answers: number[] = [];
  const all = new Promise<void>((resolve) => {
    peer.on("message", (data) => {
      answers.push(Number.parseInt(String(data), 10));
      if (answers.length === REQUESTS) resolve();
    });
  });
  peer.resume();
  await all;
  expect(answers.every((answer, i) => answer === i)).toBe(true);
});
