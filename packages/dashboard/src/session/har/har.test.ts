import type { TimelineRecord } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { harOf } from "./har.js";

const record = (sequence: number, data: object, instanceId = "a"): TimelineRecord => ({
  ...{ type: "network", sessionId: "s", sequence, instanceId },
  timestamp: new Date(1_000_000 + sequence).toISOString(),
  data: { method: "GET", url: "http://localhost/a?b=c", api: "fetch", ...data },
});

it("a HAR file has an entry for each request and none for sockets", () => {
  const { log } = harOf([
    record(1, { id: "1", phase: "request", body: "in" }),
    record(2, { id: "1", phase: "request" }, "another page load"),
    record(3, { id: "1", phase: "response", status: 200, durationMs: 2, body: "out" }),
    record(4, { id: "2", phase: "failed", durationMs: 3, error: "refused" }),
    record(5, { id: "3", phase: "open", api: "websocket" }),
    { ...record(6, {}), data: null },
  ]) as { log: { entries: object[] } };
  expect(log.entries).toHaveLength(3);
  expect(log.entries[0]).toMatchObject({
    startedDateTime: new Date(1_000_001).toISOString(),
    time: 2,
    request: { queryString: [{ name: "b", value: "c" }], postData: { text: "in" } },
    response: { status: 200, content: { text: "out" } },
  });
  expect(log.entries[2]).toMatchObject({
    startedDateTime: new Date(1_000_001).toISOString(),
    response: { status: 0, comment: "refused" },
  });
});

it("a HAR entry has the known headers and the known parts of the time", () => {
  const timing = { queued: 1, connect: 2, tls: 3, send: 0.5, wait: 10, receive: 4 };
  const { log } = harOf([
    record(1, { id: "1", phase: "request", headers: { accept: "*/*" } }),
    record(2, {
      id: "1",
      phase: "response",
      headers: { "Content-Type": "text/html" },
      durationMs: 20,
      timing,
    }),
  ]) as { log: { entries: object[] } };
  expect(log.entries[0]).toMatchObject({
    request: { headers: [{ name: "accept", value: "*/*" }] },
    response: { content: { mimeType: "text/html" } },
    timings: { blocked: 1, dns: -1, connect: 5, ssl: 3, send: 0.5, wait: 10, receive: 4 },
  });
});
