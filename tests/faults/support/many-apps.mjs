/**
 * Apps in a separate process: `many-apps.mjs HUB TOKEN COUNT`. Each opens a session, writes one line into it and answers
 * commands. It prints how many are connected whenever that changes, at most ten times a second.
 */
import { WebSocket } from "ws";

const [hub = "", token = "", count = "1"] = process.argv.slice(2);
const AT_ONCE = 100;
let connected = 0;
let acted = 0;

function open(index) {
  const sessionId = `s${index}`;
  const query = new URLSearchParams({ role: "app", sessionId, token });
  const socket = new WebSocket(`${hub.replace("http", "ws")}/debug?${query}`, { perMessageDeflate: false });
  const send = (message) =>
    socket.send(JSON.stringify({ sessionId, origin: "app", timestamp: Date.now(), ...message }));
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("unexpected-response", (_, response) => reject(new Error(`refused: ${response.statusCode}`)));
    socket.on("close", () => {
      connected--;
    });
    socket.on("open", () => {
      connected++;
      send({ type: "hello", url: "http://localhost/", userAgent: "test", protocolVersion: 1 });
      send({ type: "console", level: "log", args: [`line ${index}.`] });
      resolve();
    });
    socket.on("message", (data) => {
      const { type, origin, requestId } = JSON.parse(String(data));
      if (origin !== "agent") return;
      acted++;
      send({ type: "command_result", requestType: type, requestId, success: true });
    });
  });
}

const report = () => process.stdout.write(`${JSON.stringify({ connected, acted })}\n`);
let last = "";
setInterval(() => {
  const now = `${connected} ${acted}`;
  if (now !== last) report();
  last = now;
}, 100);

for (let first = 0; first < Number(count); first += AT_ONCE)
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, Number(count) - first) }, (_, i) => open(first + i)),
  );
