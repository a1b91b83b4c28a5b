import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { asCurl, asFetch, hasMasked, requestParts } from "./request-parts.js";

const record = (sequence: number, data: object) => ({
  ...{ type: "network", sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", sequence },
  data: { id: "r", method: "POST", url: "http://localhost/orders?a='b'", ...data },
});

it("puts the start, the end and the frames of a request together", () => {
  const parts = requestParts([
    record(1, { phase: "request", body: "{}" }),
    record(2, { phase: "response", status: 500, durationMs: 12, body: "no" }),
  ]);
  expect(parts).toMatchObject({
    status: 500,
    requestBody: "{}",
    responseBody: "no",
    durationMs: 12,
    frames: [],
  });
  const socket = requestParts([
    record(1, { phase: "open" }),
    record(2, { phase: "message", direction: "out", body: "hi" }),
  ]);
  expect(socket.frames).toEqual([{ sequence: 2, at: Date.UTC(2026, 0, 1), direction: "out", text: "hi" }]);
});

it("writes a command line that a shell reads as one request, whatever the page sent", () => {
  const body = 'it\'s $(touch /tmp/x) `id` "quoted"\nnew line';
  const parts = requestParts([record(1, { phase: "request", body })]);
  const words = execFileSync("sh", ["-c", `printf '%s\\0' ${asCurl(parts)}`])
    .toString()
    .split("\0");
  expect(words).toEqual(["curl", "-X", "POST", "http://localhost/orders?a='b'", "--data-raw", body, ""]);
});

it("writes JavaScript with the same body", () => {
  const parts = requestParts([record(1, { phase: "request", body: '"; alert(1); "' })]);
  const called: unknown[] = [];
  new Function("fetch", `return (async () => { ${asFetch(parts)} })()`)((...args: unknown[]) =>
    called.push(args),
  );
  expect(called).toEqual([["http://localhost/orders?a='b'", { method: "POST", body: '"; alert(1); "' }]]);
});

it("copies the headers of a request, without those that are masked or set by the program that sends it", () => {
  const headers = { "x-shop": "it's", authorization: "•••", Host: "localhost", "sec-fetch-mode": "cors" };
  const parts = requestParts([record(1, { phase: "request", headers })]);
  expect(asCurl(parts)).toContain("-H 'x-shop: it'\\''s'");
  expect(asCurl(parts)).not.toMatch(/authorization|host:|sec-fetch/i);
  expect(asFetch(parts)).toContain('"headers":{"x-shop":"it\'s"}');
  expect(hasMasked(parts)).toBe(true);
});

it("leaves out what is not a header, a place or a time", () => {
  const parts = requestParts([
    record(1, { phase: "request", headers: { a: 5, b: "c" }, initiator: { type: "script", url: {} } }),
    record(2, { phase: "response", headers: "x", timing: { wait: 5, send: "1", receive: -2 } }),
  ]);
  expect(parts).toMatchObject({
    ...{ requestHeaders: [["b", "c"]], responseHeaders: [], initiator: { type: "script" } },
    timing: [{ part: "wait", ms: 5 }],
  });
});
