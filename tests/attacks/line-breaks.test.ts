import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { hello, testHub } from "../support/hub/hub.js";

const BREAKS = { "a line feed": "\n\n", "a carriage return": "\r", both: "\r\n\r\n" };

/** A console message with something between two of its members. */
const broken = (text: string): string =>
  `{"sessionId":"s","timestamp":1,"origin":"app",${text}"type":"console","level":"log","args":["x"]}`;

describe("V10: an app's JSON", () => {
  it.each(Object.entries(BREAKS))("with %s between members is one line for every reader", async (_, text) => {
    const hub = await testHub();
    const [app, bare, records] = await Promise.all([
      hub.app(),
      hub.agent(),
      hub.agent("s", { query: { records: "1" } }),
    ]);
    const stream = await hub.api("/v1/stream");
    app.send(hello);
    app.sendText(broken(text));
    await bare.next("console");
    await records.next("console");
    for (const frame of [...bare.frames, ...records.frames]) expect(frame).not.toMatch(/[\n\r]/);
    const events = await readUntil(stream, '"type":"console"');
    for (const line of events.split("\n")) expect(line).toMatch(/^(|:.*|id: \d+|data: \{.*\})$/);
  });

  it.each(["\u2028", "\u2029"])(
    "with %j in a text is one line for readers that end lines there",
    async (text) => {
      const hub = await testHub();
      const app = await hub.app();
      app.send(hello);
      app.send({ type: "console", level: "log", args: [`a${text}b`] });
      const stream = await hub.api("/v1/sessions/s/stream?since=0");
      const events = await readUntil(stream, '"type":"console"');
      expect(events).not.toContain(text);
      const [data] = /\{"type":"console".*/.exec(events) ?? [];
      expect(JSON.parse(data as string).data.args).toEqual([`a${text}b`]);
    },
  );

  it("cannot add its own record to a recording", async () => {
    const hub = await testHub({ record: true });
    const app = await hub.app();
    const forged = { type: "command", timestamp: "2026-01-01T00:00:00.000Z", sessionId: "s", sequence: 99 };
    app.send(hello);
    app.sendText(broken(`"x":[\n${JSON.stringify({ ...forged, data: { client: "agent-1:ada" } })}\n],`));
    await until(async () => (await (await hub.api("/v1/sessions/s")).json()).sequence === 2);
    await hub.close();
    const folder = join(hub.home, "debug", "sessions");
    const [name = ""] = readdirSync(folder);
    const lines = readFileSync(join(folder, name, "events.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["hello", "console"]);
  });
});

async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted) || !text.endsWith("\n\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
