import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { formatConsoleArguments, linkedPair } from "@debug-bridge/protocol";
import { decode as decodeJpeg } from "jpeg-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { CONSOLE_CASES } from "../../support/console/console-cases.js";
import { type Driven, DriverStage } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const WAIT_MS = 60_000;

async function until<Found>(
  driven: Driven,
  find: (records: Driven["records"]) => Found | undefined,
): Promise<Found> {
  return vi.waitFor(() => {
    const found = find(driven.records);
    if (found === undefined) throw new Error("not recorded yet");
    return found;
  }, WAIT_MS);
}

test("console calls are reported in order, with objects described and secrets hidden", async () => {
  const driven = await stage.open(`<script>
    console.log("start", 1, null, undefined, 10n, -0);
    console.warn({ user: "ann", password: "p4ss", nested: { list: [1, 2] } });
    console.error(new Error("bad"));
    console.table([{ a: 1 }]);
    console.assert(false, "odd");
  </script>`);
  await until(driven, (records) =>
    records.find((each) => each.type === "console" && each.method === "assert"),
  );
  const lines = driven.records.flatMap((each) => (each.type === "console" ? [each] : []));
  expect(lines.map(({ level, args }) => [level, args[0]?.split("\n")[0]])).toEqual([
    ["log", "start"],
    ["warn", '{"user":"ann","password":"•••","nested":{"list":[1,2]}}'],
    ["error", "Error: bad"],
    ["log", '[{"a":1}]'],
    ["error", "Assertion failed"],
  ]);
  expect(lines[0]?.args.slice(1)).toEqual(["1", "null", "undefined", "10n", "-0"]);
  expect(lines[0]?.location).toMatchObject({ url: driven.page.url, line: 2 });
});

test("console calls read the same and are masked the same in a driven page", async () => {
  const calls = CONSOLE_CASES.map(({ call }) => `console.log(${call});`).join("\n");
  const driven = await stage.open(`<script>${calls}\nconsole.log("end");</script>`);
  await until(driven, (records) => records.find((each) => each.type === "console" && each.args[0] === "end"));
  const lines = driven.records.flatMap((each) => (each.type === "console" ? [each] : []));
  expect(lines.slice(0, -1).map(({ values }) => formatConsoleArguments(values ?? []))).toEqual(
    CONSOLE_CASES.map(({ text }) => text),
  );
});

test("errors, rejections, failed resources and the browser's own log are reported", async () => {
  stage.answers.set("/blocked", {
    headers: { "content-security-policy": "img-src 'none'" },
    body: `<img src="/x.png"><script src="/missing.js"></script><script>
      Promise.reject(new TypeError("later")); setTimeout(() => { throw new RangeError("now") });
      fetch("http://localhost:9/").catch(() => {});</script>`,
  });
  const driven = await stage.open("");
  await driven.page.run({ type: "navigate", url: stage.url("/blocked") });
  const error = await until(driven, (records) =>
    records.find((each) => each.type === "error" && each.lineno),
  );
  expect(error).toMatchObject({ message: "Uncaught RangeError: now" });
  const rejection = await until(driven, (records) =>
    records.find((each) => each.type === "unhandledrejection"),
  );
  expect(rejection).toMatchObject({ message: "later" });
  await until(driven, (records) =>
    records.find((each) => each.type === "error" && each.resource?.tag === "script"),
  );
  const csp = await until(driven, (records) =>
    records.find((each) => each.type === "console" && each.method === "browser:security"),
  );
  expect(csp).toMatchObject({ level: "error" });
  await until(driven, (records) =>
    records.find((each) => each.type === "network" && each.phase === "failed"),
  );
});

test("requests are reported with their responses, redirects separately, and sockets with their frames", async () => {
  stage.answers.set("/moved", { status: 302, headers: { location: "/data" } });
  stage.answers.set("/data", { type: "application/json", body: '{"n":1}' });
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket: WebSocket) => socket.on("message", () => socket.send("pong!")));
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const driven = await stage.open(`<script>
    fetch("/moved").then((answer) => answer.json());
    const socket = new WebSocket("ws://127.0.0.1:${port}/");
    socket.onopen = () => socket.send("ping");
    socket.onmessage = () => socket.close();</script>`);
  await until(driven, (records) => records.find((each) => each.type === "network" && each.phase === "close"));
  const records = driven.records.flatMap((each) =>
    each.type === "network" && each.api !== "other" ? [each] : [],
  );
  const fetched = records.filter(({ api }) => api === "fetch");
  expect(fetched.map(({ phase, status, responseBytes }) => [phase, status, responseBytes])).toEqual([
    ["request", undefined, undefined],
    ["response", 302, undefined],
    ["request", undefined, undefined],
    ["response", 200, 7],
  ]);
  const frames = records.filter(({ api }) => api === "websocket");
  expect(frames.map(({ phase, direction }) => direction ?? phase)).toEqual([
    "request",
    "open",
    "out",
    "in",
    "close",
  ]);
  server.close();
});

test("bodies are reported only on request, masked", async () => {
  stage.answers.set("/secret", { type: "application/json", body: '{"token":"t0p","n":1}' });
  const html = `<script>fetch("/secret").then((answer) => answer.text())</script>`;
  const isAnswer = (each: Driven["records"][number]): boolean =>
    each.type === "network" && each.api === "fetch" && each.phase === "response";
  const without = await stage.open(html);
  expect(await until(without, (records) => records.find(isAnswer))).not.toHaveProperty("body");
  const asked = await stage.open(html, { captureBodies: true });
  expect(await until(asked, (records) => records.find(isAnswer))).toMatchObject({
    body: '{"token":"•••","n":1}',
  });
});

test("a page that floods the console loses nothing silently and still answers", async () => {
  const driven = await stage.open(`<button>Here</button>`);
  await driven.page.run({
    type: "evaluate",
    code: "for (let i = 0; i < 5000; i++) console.log(i, { i })",
    settle: false,
  });
  await driven.page.run({ type: "click", target: { text: "Here" } });
  const count = (): number => {
    let total = 0;
    for (const each of driven.records) {
      if (each.type === "console") total++;
      if (each.type === "gap") total += each.dropped;
    }
    return total;
  };
  await vi.waitFor(() => expect(count()).toBe(5_000), 20_000);
});

test("screenshots are small, of the page or of one element, with refs drawn on request", async () => {
  const { page } = await stage.open(
    `<body style="margin:0;background:#fff"><div style="height:1500px"></div><button id="b" style="width:120px;height:40px">Far</button>`,
  );
  const picture = async (more: object): Promise<{ width: number; height: number; data: Uint8Array }> => {
    const { value } = await page.run({ type: "screenshot", ...more });
    const { mimeType, data } = value as { mimeType: string; data: string };
    expect(mimeType).toBe("image/jpeg");
    return decodeJpeg(Buffer.from(data, "base64"), { useTArray: true });
  };
  const whole = await picture({});
  expect([whole.width, whole.height]).toEqual([800, 600]);
  const one = await picture({ target: { selector: "#b" }, quality: 90 });
  expect([one.width, one.height]).toEqual([120, 40]);
  const pink = ({ data }: { data: Uint8Array }): boolean => {
    for (let at = 0; at < data.length; at += 4)
      if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 255) < 70 && (data[at + 2] ?? 0) > 90) return true;
    return false;
  };
  expect(pink(await picture({ quality: 90 }))).toBe(false);
  expect(pink(await picture({ labels: true, quality: 90 }))).toBe(true);
  expect(pink(await picture({ quality: 90 }))).toBe(false);
});

test("a full-page screenshot goes beyond the viewport and is bounded", async () => {
  const { page } = await stage.open(
    `<body style="margin:0;background:#fff"><div style="height:1500px"></div><button>Far</button>`,
  );
  const whole = await page.run({ type: "screenshot", fullPage: true, quality: 50 });
  const { data, width, height } = whole.value as { data: string; width: number; height: number };
  const picture = decodeJpeg(Buffer.from(data, "base64"), { useTArray: true });
  expect(height).toBeGreaterThan(1_500);
  expect([picture.width, picture.height]).toEqual([width, height]);
  await page.run({ type: "evaluate", code: "document.body.firstElementChild.style.height = '40000px'" });
  const endless = await page.run({ type: "screenshot", fullPage: true });
  expect(endless.value).toMatchObject({ height: 16_384, truncated: true });
});

test("errors from before the driver attached keep their own time", async () => {
  const before = Date.now();
  const { tab } = await stage.open(
    `<script>console.error("early"); setTimeout(() => { throw new Error("old") })</script>`,
  );
  await sleep(1_200);
  const late = await stage.drive(tab);
  const error = await until(late, (records) => records.find((each) => each.type === "error"));
  expect(error.timestamp).toBeGreaterThanOrEqual(before - 1_000);
  expect(error.timestamp).toBeLessThan(Date.now() - 1_000);
});

test("a driven page is an app on the app wire, document after document", async () => {
  const driven = await stage.open("<title>One</title><button>First</button>");
  const [mine, theirs] = linkedPair();
  const received: Record<string, unknown>[] = [];
  theirs.onMessage = (data) => received.push(JSON.parse(data));
  driven.page.connect(mine, { sessionId: "s1", kind: "browser" });
  const receive = (type: string): Promise<Record<string, unknown>> =>
    vi.waitFor(() => {
      const found = received.findLast((each) => each.type === type);
      if (!found) throw new Error(`no ${type}`);
      return found;
    }, WAIT_MS);
  expect(await receive("hello")).toMatchObject({
    sessionId: "s1",
    kind: "browser",
    title: "One",
    url: driven.page.url,
  });
  expect(await receive("ui_tree")).toMatchObject({ items: [{ text: "First" }] });
  const command = {
    type: "click",
    target: { text: "First" },
    requestId: "r1",
    sessionId: "s1",
    timestamp: 1,
  };
  theirs.send(JSON.stringify({ ...command, origin: "agent" }));
  expect(await receive("command_result")).toMatchObject({ requestId: "r1", success: true });
  stage.answers.set("/second", "<title>Two</title>");
  await driven.page.run({ type: "navigate", url: stage.url("/second") });
  await vi.waitFor(async () => expect(await receive("hello")).toMatchObject({ title: "Two" }), WAIT_MS);
  driven.page.disconnect();
  const before = received.length;
  await driven.page.run({ type: "evaluate", code: "console.log('unheard')" });
  await sleep(0);
  expect(received.length).toBe(before);
});

test("the end of a group is recorded, and is no line of a receipt", async () => {
  const { page, records } = await stage.open(
    `<button onclick="console.group('Order'); console.log('inside'); console.groupEnd(); console.log('after')">Go</button>`,
  );
  const { receipt } = await page.run({ type: "click", target: { text: "Go" } });
  expect(receipt?.console?.map(({ text }) => text)).toEqual(["Order", "inside", "after"]);
  const methods = records.flatMap((each) => (each.type === "console" ? [each.method ?? each.level] : []));
  expect(methods).toEqual(["group", "log", "groupEnd", "log"]);
});
