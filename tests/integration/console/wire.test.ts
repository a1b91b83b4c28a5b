import { CONSOLE_ERROR_CODES, CONSOLE_METHODS } from "@debug-bridge/protocol";
import { consoleFrameSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { ConsoleClient, SOURCE } from "../../support/console/console-client.js";
import { consoleTexts as lines, consoleRecords as records } from "../../support/console/console-records.js";
import { testHub } from "../../support/hub/hub.js";

const detailsOf = ({ payload }: { payload: Record<string, unknown> }): Record<string, unknown> =>
  payload.details as Record<string, unknown>;

describe("the console wire", () => {
  it("answers the handshake with its own status, version and platform [CON-003, CON-004, CON-008, CON-047, CON-080]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.connect(hub.consoleUrl);
    client.log("too early");
    expect(await client.next("error")).toMatchObject({
      payload: { code: "INVALID_MESSAGE", details: { field: "type" } },
    });
    client.send("connection_status", { status: "connected" });
    expect(await client.next("connection_status")).toMatchObject({
      version: "1.0.0",
      payload: {
        status: "connected",
        clientInfo: { cliVersion: expect.stringMatching(/^\d/), platform: process.platform },
      },
    });
    expect(client.received.some(({ source }) => source !== undefined)).toBe(false);
    client.log("in time");
    await until(async () => (await lines(hub)).includes("in time"));
    expect(await lines(hub)).toEqual(["in time"]);
  });

  it("accepts every status, with or without a reason and client info, and no other [CON-044, CON-045]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    for (const status of ["connected", "disconnected", "reconnecting"]) {
      client.send("connection_status", { status });
      client.send("connection_status", {
        status,
        reason: "the worker was stopped",
        clientInfo: { browser: "Chrome" },
      });
    }
    client.send("ping", { id: "all accepted" });
    await client.next("pong");
    expect(client.received.filter(({ type }) => type === "error")).toEqual([]);
    client.send("connection_status", { status: "perhaps" });
    expect(await client.next("error")).toMatchObject({ payload: { details: { field: "payload.status" } } });
  });

  it("reads what other senders put into the fields that the protocol leaves open [CON-083]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    const args = [
      { type: "string", value: "mixed" },
      { type: "undefined", value: "undefined" },
      { type: "function", value: null, name: "f" },
      { type: "object", value: { a: 1 } },
    ];
    client.send("console_event", { method: "log", args });
    client.send(
      "console_event",
      { method: "log", args: [{ type: "dom", value: "<b>" }] },
      { source: undefined },
    );
    await client.settled();
    expect(client.received.filter(({ type }) => type === "error")).toEqual([]);
    await until(async () => (await lines(hub)).some((line) => String(line).startsWith("mixed undefined")));
  });

  it("records all 19 methods in the timeline of the tab, in order [CON-041]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    for (const method of CONSOLE_METHODS) client.log(method, method);
    const seen = await until(async () => {
      const found = await records(hub);
      return found.length === CONSOLE_METHODS.length && found;
    });
    expect(seen.map(({ data }) => data.method)).toEqual([...CONSOLE_METHODS]);
    const { sessions } = (await (await hub.api("/v1/sessions")).json()) as { sessions: unknown[] };
    expect(sessions).toMatchObject([{ id: "tab-7", kind: "tab", url: SOURCE.url, title: SOURCE.title }]);
  });

  it.each([
    ["text that is not JSON", "{", "INVALID_MESSAGE"],
    [
      "no version",
      { type: "ping", timestamp: new Date().toISOString(), payload: { id: "x" } },
      "INVALID_MESSAGE",
    ],
    ["no type", { version: "1.0.0", timestamp: new Date().toISOString(), payload: {} }, "INVALID_MESSAGE"],
    ["no timestamp", { version: "1.0.0", type: "ping", payload: { id: "x" } }, "INVALID_MESSAGE"],
    [
      "no payload",
      { version: "1.0.0", type: "ping", timestamp: new Date().toISOString() },
      "INVALID_MESSAGE",
    ],
    [
      "an unknown type",
      { version: "1.0.0", type: "shout", timestamp: new Date().toISOString(), payload: {} },
      "INVALID_MESSAGE",
    ],
    [
      "an unknown method",
      {
        version: "1.0.0",
        type: "console_event",
        timestamp: new Date().toISOString(),
        source: SOURCE,
        payload: { method: "shout", args: [] },
      },
      "INVALID_MESSAGE",
    ],
    [
      "version 0.9.0",
      { version: "0.9.0", type: "ping", timestamp: new Date().toISOString(), payload: { id: "x" } },
      "UNSUPPORTED_VERSION",
    ],
    [
      "version 2.0.0",
      { version: "2.0.0", type: "ping", timestamp: new Date().toISOString(), payload: { id: "x" } },
      "UNSUPPORTED_VERSION",
    ],
  ])(
    "answers %s with an error, and stays open [CON-005, CON-009, CON-030, CON-048, CON-055, CON-062, CON-077]",
    async (_what, message, code) => {
      const hub = await testHub();
      const client = await ConsoleClient.greeted(hub.consoleUrl);
      client.socket.send(typeof message === "string" ? message : JSON.stringify(message));
      const { payload } = await client.next("error");
      expect(payload.code).toBe(code);
      expect(String(payload.message).length).toBeGreaterThan(10);
      client.log("still here");
      await until(async () => (await lines(hub)).includes("still here"));
    },
  );

  it("has five error codes and accepts no other [CON-049]", () => {
    expect([...CONSOLE_ERROR_CODES]).toEqual([
      "INVALID_MESSAGE",
      "UNSUPPORTED_VERSION",
      "INTERNAL_ERROR",
      "RATE_LIMIT",
      "AUTH_REQUIRED",
    ]);
    const frame = (code: string) => ({
      ...{ version: "1.0.0", type: "error", timestamp: new Date().toISOString() },
      payload: { code, message: "x" },
    });
    for (const code of CONSOLE_ERROR_CODES)
      expect(consoleFrameSchema.safeParse(frame(code)).success).toBe(true);
    expect(consoleFrameSchema.safeParse(frame("OTHER")).success).toBe(false);
  });

  it("names the field that is wrong, and returns what it received [CON-050]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    const wrong = [
      [{ version: "1.0.0" }, "type"],
      [{ version: "1.0.0", type: "ping", timestamp: "2026-01-01T00:00:00Z", payload: {} }, "payload.id"],
      [client.envelope("console_event", { method: "shout", args: [] }), "payload.method"],
    ] as const;
    for (const [message, field] of wrong) {
      client.socket.send(JSON.stringify(message));
      const { payload } = await client.next("error", (error) => detailsOf(error).field === field);
      expect(payload.code).toBe("INVALID_MESSAGE");
      expect(detailsOf({ payload }).received).toEqual(JSON.parse(JSON.stringify(message)));
    }
    client.socket.send("{ not JSON");
    await client.next("error", (error) => detailsOf(error).received === "{ not JSON");
    const long = client.envelope("console_event", { method: "x".repeat(5_000), args: [] });
    client.socket.send(JSON.stringify(long));
    await client.next("error", (error) => String(detailsOf(error).received).length === 1_000);
  });

  it("names the versions that it speaks, and accepts any minor of them [CON-051, CON-054]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.log("newer", "log", { version: "1.7.3" });
    client.log("older", "log", { version: "0.9.0" });
    expect((await client.next("error")).payload.details).toEqual({
      receivedVersion: "0.9.0",
      supportedVersions: ["1.0.0"],
    });
    await until(async () => (await lines(hub)).includes("newer"));
    expect(await lines(hub)).toEqual(["newer"]);
  });

  it("answers a ping with a pong of the same id [CON-052]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.send("ping", { id: "ping-42" });
    expect(await client.next("pong")).toMatchObject({ payload: { id: "ping-42" } });
  });

  it("accepts batches, keeps their order, and refuses only what is wrong in them", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    const event = (text: string) =>
      client.envelope("console_event", { method: "log", args: [{ type: "string", value: text }] });
    client.socket.send(JSON.stringify([event("one"), { nonsense: true }, event("two"), event("three")]));
    await client.next("error");
    await until(async () => (await lines(hub)).length === 3);
    expect(await lines(hub)).toEqual(["one", "two", "three"]);
  });

  it("removes control characters before anything is kept [CON-078]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.log("\u001b]0;owned\u0007 \u001b[31mred\u009b2J");
    await until(async () => (await lines(hub)).length === 1);
    expect(await lines(hub)).toEqual(["]0;owned [31mred2J"]);
  });

  it("refuses what is beyond the limits, with the field [CON-077]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.log("x".repeat(11_000));
    expect((await client.next("error")).payload.details).toMatchObject({ field: "payload.args.0.value" });
    let deep: object = { type: "string", value: "x" };
    for (let i = 0; i < 12; i++) deep = { type: "array", value: [deep] };
    client.send("console_event", { method: "log", args: [deep] });
    await client.next("error", ({ payload }) => String(payload.message).includes("deeper than 10"));
    const wide = {
      type: "object",
      value: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, { type: "null" }])),
    };
    client.send("console_event", { method: "log", args: [wide] });
    await client.next("error", ({ payload }) => String(payload.message).includes("more than 1000 keys"));
  });

  it("records events that are sent again after a broken connection once", async () => {
    const hub = await testHub();
    const first = await ConsoleClient.greeted(hub.consoleUrl);
    const source = { ...SOURCE, documentId: "d1" };
    const event = (seq: number) => ({
      method: "log",
      args: [{ type: "string", value: `number ${seq}` }],
      seq,
    });
    for (const seq of [1, 2, 3]) first.send("console_event", event(seq), { source });
    await until(async () => (await lines(hub)).length === 3);
    first.socket.terminate();
    const second = await ConsoleClient.greeted(hub.consoleUrl);
    for (const seq of [2, 3, 4]) second.send("console_event", event(seq), { source });
    await until(async () => (await lines(hub)).length === 4);
    expect(await lines(hub)).toEqual(["number 1", "number 2", "number 3", "number 4"]);
  });

  it("records in the timeline how much the extension dropped [CON-071]", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.log("first");
    client.send("error", {
      code: "RATE_LIMIT",
      message: "300 logs were dropped",
      details: { dropped: 300, tabId: 7 },
    });
    const found = await until(async () => {
      const all = await records(hub);
      return all.length === 2 && all;
    });
    expect(found[1]).toMatchObject({ type: "gap", data: { dropped: 300 } });
  });

  it("admits our extension and programs, and no web page or other extension [CON-076, ARC-063]", async () => {
    const hub = await testHub();
    await ConsoleClient.connect(hub.consoleUrl, {
      headers: { origin: "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb" },
    });
    for (const headers of [
      { origin: "chrome-extension://abcdefghijklmnop" },
      { origin: "http://localhost:3000" },
      { origin: "https://evil.example" },
      { host: "rebound.example" },
    ]) {
      await expect(ConsoleClient.connect(hub.consoleUrl, { headers })).rejects.toThrow("403");
    }
  });

  it("keeps extensions and tabs apart; a broken connection is logged, and a new one accepted [CON-064]", async () => {
    const hub = await testHub();
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => ConsoleClient.greeted(hub.consoleUrl)),
    );
    for (const [i, client] of clients.entries()) {
      client.log(`from ${i}`, "log", { source: { ...SOURCE, tabId: i, url: `http://localhost:3000/${i}` } });
    }
    await until(
      async () => (await lines(hub, "tab-19")).length === 1 && (await lines(hub, "tab-0")).length === 1,
    );
    clients[0]?.socket.terminate();
    await until(() => /console connection.*was lost \(code 1006\)/.test(hub.audit()));
    clients[1]?.log("again", "log", { source: { ...SOURCE, tabId: 1, url: "http://localhost:3000/1" } });
    await until(async () => (await lines(hub, "tab-1")).length === 2);
    const again = await ConsoleClient.greeted(hub.consoleUrl);
    again.log("back", "log", { source: { ...SOURCE, tabId: 0, url: "http://localhost:3000/0" } });
    await until(async () => (await lines(hub, "tab-0")).length === 2);
  });
});
