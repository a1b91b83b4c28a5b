/** The bare limit: a `ws` server that forwards what apps send to the agents of their session, and does nothing else. */
import { WebSocketServer } from "ws";

const wss = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
/** @type {Map<string, Set<import("ws").WebSocket>>} */
const agents = new Map();

wss.on("connection", (ws, request) => {
  const { searchParams } = new URL(request.url ?? "/", "http://hub");
  const sessionId = searchParams.get("sessionId") ?? "";
  if (!agents.has(sessionId)) agents.set(sessionId, new Set());
  const own = agents.get(sessionId);
  if (searchParams.get("role") === "agent") own.add(ws);
  else
    ws.on("message", (data) => {
      for (const agent of own) agent.send(data, { binary: false });
    });
});
wss.on("listening", () => process.send({ port: wss.address().port }));
