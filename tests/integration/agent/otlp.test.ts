import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { CLI, runCli, start, temporaryFolder } from "../../fixtures.js";
import { cli, startAgent } from "../../support/agents/agents.js";
import { startModelServer } from "../../support/agents/model-server.js";

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const time = z.string().regex(/^[1-9]\d{18}$/);
const value: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(value) }) }),
  ]),
);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const span = z.strictObject({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: hex(8).optional(),
  name: z.string().min(1),
  kind: z.int().min(0).max(5),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: time, name: z.string(), attributes })).optional(),
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }).optional(),
});
/** What OTLP/HTTP takes as JSON, as its definition says: nothing else is taken. */
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});
type Span = z.infer<typeof span>;

interface Receiver {
  readonly url: string;
  readonly spans: Span[];
  readonly requests: { path: string | undefined; headers: Record<string, unknown> }[];
}

/** A receiver of traces: it takes what is right, and refuses what is not. */
async function startReceiver(answer: object = {}): Promise<Receiver> {
  const received: Receiver = { url: "", spans: [], requests: [] };
  const server = createServer((incoming, response) => {
    let text = "";
    incoming.on("data", (data) => {
      text += data;
    });
    incoming.on("end", () => {
      received.requests.push({ path: incoming.url, headers: incoming.headers });
      const checked = request.safeParse(JSON.parse(text));
      const isRight =
        incoming.url === "/v1/traces" && incoming.headers["content-type"] === "application/json";
      if (checked.success)
        for (const { scopeSpans } of checked.data.resourceSpans)
          for (const { spans } of scopeSpans) received.spans.push(...spans);
      response.writeHead(checked.success && isRight ? 200 : 400, { "content-type": "application/json" });
      response.end(JSON.stringify(checked.success ? answer : { code: 3, message: checked.error.message }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(received, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function attributesOf({ attributes: list }: Span): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value: one }) => [key, Object.values(one as object)[0]]));
}

describe("debug-bridge agent export --otlp", () => {
  it("sends a run as spans: the agent, and below it each call of the model and of a tool", async () => {
    const home = temporaryFolder();
    const server = await startModelServer([
      { tool: "write_file", input: { path: "a.txt", content: "hello" } },
      { tool: "read_file", input: { path: "none.txt" } },
      { text: "done" },
    ]);
    const args = [
      "agent",
      "run",
      "--json",
      "--name",
      "ada",
      "--model",
      "m",
      "--base-url",
      `${server.url}/v1`,
      "write",
    ];
    const ran = await start(process.execPath, [CLI, ...args], { DEBUG_BRIDGE_HOME: home }, home).finished;
    expect(ran.code).toBe(0);
    const receiver = await startReceiver();
    const { code, stdout, stderr } = await runCli(["agent", "export", "current", "--otlp", receiver.url], {
      DEBUG_BRIDGE_HOME: home,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, x-team=shop",
    });
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("6 spans sent")]);
    expect(receiver.requests[0]?.headers).toMatchObject({ "x-key": "a b", "x-team": "shop" });
    const [root, ...rest] = receiver.spans as [Span, ...Span[]];
    expect(receiver.spans.map(({ name }) => name)).toEqual([
      "invoke_agent ada",
      "chat m",
      "execute_tool write_file",
      "chat m",
      "execute_tool read_file",
      "chat m",
    ]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(root.parentSpanId).toBeUndefined();
    for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano } of rest) {
      expect(parentSpanId).toBe(root.spanId);
      expect(startTimeUnixNano >= root.startTimeUnixNano && endTimeUnixNano <= root.endTimeUnixNano).toBe(
        true,
      );
      expect(startTimeUnixNano <= endTimeUnixNano).toBe(true);
    }
    expect(attributesOf(root)).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "ada",
    });
    expect(attributesOf(rest[0] as Span)).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": "12",
      "gen_ai.usage.output_tokens": "3",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool-calls" }] },
    });
    expect(attributesOf(rest[1] as Span)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "write_file",
      "gen_ai.tool.call.id": "call_1",
    });
    expect(rest[3]).toMatchObject({ status: { code: 2 } });
    expect(JSON.stringify(receiver.spans)).not.toContain("hello");
  });

  it("sends long runs in parts, contents on request, and the same ids each time", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(
      home,
      Array.from({ length: 700 }, (_, i) => ({ text: `turn ${i}` })),
    );
    await agent.finished;
    const [first, second] = [await startReceiver(), await startReceiver()];
    await cli(home, "agent", "export", agent.id, "--content", "--otlp", `${first.url}/v1/traces`);
    await cli(home, "agent", "export", agent.id, "--otlp", first.url.replace(first.url, second.url));
    expect([first.requests.length, first.spans.length]).toEqual([2, 701]);
    expect(JSON.stringify(first.spans)).toContain("turn 699");
    expect(second.spans.map(({ spanId }) => spanId)).toEqual(first.spans.map(({ spanId }) => spanId));
    const printed = JSON.parse((await cli(home, "agent", "export", agent.id)).stdout);
    expect(request.safeParse(printed).success).toBe(true);
  });

  it("reports what the receiver rejected, and when none can be reached", async () => {
    const home = temporaryFolder();
    await (await startAgent(home, [{ text: "done" }])).finished;
    const picky = await startReceiver({ partialSuccess: { rejectedSpans: "1", errorMessage: "too old" } });
    const send = (...to: string[]): ReturnType<typeof cli> =>
      cli(home, "agent", "export", "current", "--otlp", ...to);
    expect(await send(picky.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("rejected 1 spans: too old"),
    });
    expect(await send(`${picky.url}/elsewhere`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("answered 400"),
    });
    expect(await send("http://127.0.0.1:1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot reach an OTLP receiver"),
    });
    expect(await send("nowhere")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It must be an address like"),
    });
  });
});
