/** Events through the relay: how many in a second, and whether its memory stays flat meanwhile. */
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { figure } from "../lib/figure.mjs";
import { proveAsExtension } from "../lib/pairing.mjs";
import { startStage, until } from "./lib.mjs";

const ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
const SECONDS = 6;
const RATE = 12_000;

/** Resident memory of a process in MB. */
const memory = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

const stage = await startStage({ browser: false });
try {
  const extension = new WebSocket(`${stage.hub.relayUrl}/extension`, { origin: ORIGIN });
  const tab = { tabId: 1, url: "http://a/", title: "", targetId: "T1", attached: false };
  extension.on("message", (data) => {
    const { id, method, params } = JSON.parse(String(data));
    if (id === undefined) return;
    const tree = { frameTree: { frame: { id: "T1", loaderId: "L", url: "http://a/" } } };
    const result =
      method === "listTabs"
        ? [tab]
        : params?.method === "Page.getFrameTree"
          ? tree
          : { result: { value: 1 } };
    extension.send(JSON.stringify({ id, result }));
  });
  await new Promise((resolve) => extension.once("open", resolve));
  await proveAsExtension(extension, "relay", stage.hub.pairingKey);
  const client = new WebSocket(stage.relay);
  let received = 0;
  let session;
  client.on("message", (data) => {
    received++;
    const message = JSON.parse(String(data));
    if (message.method === "Target.attachedToTarget") session = message.params.sessionId;
  });
  await new Promise((resolve) => client.once("open", resolve));
  const say = (id, method, params = {}) =>
    client.send(JSON.stringify({ id, method, params, sessionId: session }));
  say(1, "Target.setAutoAttach", { autoAttach: true, flatten: true });
  await until(() => session);
  say(2, "Network.enable");
  say(3, "Runtime.evaluate", { expression: "1" });
  await until(() => received >= 4);
  const event = `{"method":"cdpEvent","params":{"tabId":1,"method":"Network.dataReceived","params":{"requestId":"1","timestamp":1,"dataLength":100,"encodedDataLength":0,"note":"${"x".repeat(150)}"}}}`;
  received = 0;
  const samples = [];
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < SECONDS * 1_000) {
    const due = ((performance.now() - started) / 1_000) * RATE;
    for (; sent < due; sent++) extension.send(event);
    if (samples.length < (performance.now() - started) / 500) samples.push(memory(stage.hub.pid));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await until(() => received === sent);
  const seconds = (performance.now() - started) / 1_000;
  figure({
    name: "events forwarded",
    value: received / seconds,
    unit: "a second",
    limit: 10_000,
    atLeast: true,
  });
  const half = Math.floor(samples.length / 2);
  figure({
    name: "memory at the end, against the middle",
    value: samples.at(-1) / samples[half],
    unit: "x",
    limit: 1.15,
    note: `${samples[half].toFixed(0)} and ${samples.at(-1).toFixed(0)} MB`,
  });
  extension.close();
  client.close();
} finally {
  await stage.close();
}
