import type { AppMessage } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { isOwnSocket } from "./own-socket.js";

const HUB = "http://127.0.0.1:4000";
const message = (url: string, api = "websocket"): AppMessage =>
  ({ type: "network", api, url }) as unknown as AppMessage;

it.each(["ws://127.0.0.1:4000/debug?role=app", "ws://localhost:4000/debug", "ws://[::1]:4000/debug?x"])(
  "%s is the socket of the SDK",
  (url) => {
    expect(isOwnSocket(message(url), HUB)).toBe(true);
  },
);

it.each([
  "ws://evil.example:4000/debug?role=app",
  "ws://127.0.0.1:4001/debug?role=app",
  "ws://127.0.0.1:4000/chat",
  "ws://127.0.0.1.evil.example:4000/debug",
  "not an address",
])("%s is a socket of the page, and recorded", (url) => {
  expect(isOwnSocket(message(url), HUB)).toBe(false);
});

it("a request of the page to the hub is recorded", () => {
  expect(isOwnSocket(message("http://127.0.0.1:4000/debug", "fetch"), HUB)).toBe(false);
});
