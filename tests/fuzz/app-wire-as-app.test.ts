import { decode, wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated, spelled } from "./support/mutate.js";
import { barrierName, exchange, FuzzPeer, renew } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { rawBytes, rawText } from "./support/text.js";

const { schema, limits } = wires["app.app-message"];
const chunk = wires["shared.chunk"];
const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);

const dialect = wires["app.dialect"].schema;
const dialectMessages = arbitraryOf(dialect).filter((value) => dialect.safeParse(value).success);
const DIALECT_HELLO = {
  ...{ protocolVersion: 1, sessionId: "dialect", timestamp: 1, type: "hello" },
  ...{ url: "http://a.test/", userAgent: "x", viewport: { width: 1, height: 1 } },
};

const harness = sharedHub();

async function connectApp(sessionId = "fuzzed"): Promise<FuzzPeer> {
  const { hub } = harness();
  const peer = await FuzzPeer.connect(
    `${hub.ready.hub.replace("http", "ws")}/debug?role=app&sessionId=${sessionId}`,
  );
  onTestFinished(() => peer.close());
  return peer;
}

/** The errors for each of the messages. */
async function errorsFor(peer: FuzzPeer, texts: readonly string[]): Promise<Record<string, unknown>[][]> {
  const answers = await exchange(peer, texts, (type) => ({ type }));
  return answers.map((received) => received.filter(({ type }) => type === "bridge_error"));
}

function isAnswer(text: string): boolean {
  try {
    return JSON.parse(text).type === "command_result";
  } catch {
    return false;
  }
}

function expectOneErrorEach(texts: readonly string[], answers: readonly Record<string, unknown>[][]): void {
  texts.forEach((text, index) => {
    const errors = answers[index] ?? [];
    const isChunk = decode(chunk.schema, text, chunk.limits).ok;
    const isValid = decode(schema, text, limits).ok;
    // The wrong answer to a command is refused without a word.
    if (isChunk || isAnswer(text)) expect(errors.length, text).toBeLessThanOrEqual(1);
    else expect(errors.length, text).toBe(isValid ? 0 : 1);
    for (const error of errors)
      expect(error).toMatchObject({ origin: "hub", code: expect.any(String), message: expect.any(String) });
  });
}

describe("the app wire, as an app", () => {
  let peer: FuzzPeer;
  beforeEach(async () => {
    peer = await connectApp();
  });

  const errors = async (input: readonly string[]): Promise<Record<string, unknown>[][]> => {
    peer = await renew(peer, connectApp);
    return errorsFor(peer, input);
  };
  const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.array(text, { minLength: 1, maxLength: 20 });

  it("answers raw text with exactly one error each", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(rawText),
      25,
      async (input) => {
        expectOneErrorEach(input, await errors(input));
        await harness().witness.check();
      },
      0.2,
    ),
  );

  it("answers mutated messages with exactly one error each", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(mutated(valid)),
      40,
      async (input) => {
        expectOneErrorEach(input, await errors(input));
        await harness().witness.check();
      },
      0.4,
    ),
  );

  it("accepts valid messages however they are spelled", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(spelled(valid)),
      30,
      async (input) => {
        expectOneErrorEach(input, await errors(input));
        await harness().witness.check();
      },
      0.2,
    ),
  );

  it("survives whatever a page in the dialect of the published SDK says", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(fc.oneof(spelled(dialectMessages), mutated(dialectMessages))),
      30,
      async (input) => {
        const other = await connectApp("dialect");
        other.send(DIALECT_HELLO);
        for (const text of input) other.send(text);
        other.close();
        await harness().witness.check();
      },
      0.2,
    ),
  );

  it("survives frames of any bytes", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(rawBytes, fc.boolean()),
      25,
      async ([bytes, binary]) => {
        const other = await connectApp("bytes");
        other.send(bytes, binary);
        const name = barrierName();
        other.send({ type: name });
        await other.closedOrAnswered(name);
        other.close();
        await harness().witness.check();
      },
      0.1,
    ),
  );

  const step = fc.oneof(
    fc.record({ kind: fc.constant("hello" as const), instanceId: fc.constantFrom("i1", "i2", undefined) }),
    fc.record({
      kind: fc.constant("result" as const),
      requestId: fc.constantFrom("r1", "r2", undefined, "__proto__"),
      requestType: fc.constantFrom("click", "evaluate", "request_ui_tree"),
    }),
    fc.record({
      kind: fc.constant("chunk" as const),
      chunkId: fc.constantFrom("c1", "c2"),
      index: fc.nat(4),
      total: fc.integer({ min: 1, max: 4 }),
      data: fc.constantFrom("", '{"type":"console"', "x".repeat(1_000)),
    }),
    fc.record({
      kind: fc.constant("seq" as const),
      seq: fc.constantFrom(0, 1, 5, 4, Number.MAX_SAFE_INTEGER),
    }),
    fc.record({ kind: fc.constant("reconnect" as const), code: fc.constantFrom(1000, 1001, 4000) }),
  );

  it(
    "survives hello twice, unknown results, chunks out of order and reconnects",
    { timeout: testTimeoutMs },
    () =>
      fuzz(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        40,
        async (steps) => {
          let app = await connectApp("sequence");
          for (const { kind, ...rest } of steps) {
            const base = { sessionId: "sequence", timestamp: 1, origin: "app" };
            if (kind === "hello")
              app.send({
                ...base,
                type: "hello",
                url: "http://a.test/",
                userAgent: "x",
                protocolVersion: 1,
                ...rest,
              });
            else if (kind === "result") app.send({ ...base, type: "command_result", success: true, ...rest });
            else if (kind === "chunk") app.send({ type: "chunk", ...rest });
            else if (kind === "seq")
              app.send({ ...base, type: "console", level: "log", args: ["x"], ...rest });
            else {
              app.socket.close((rest as { code: number }).code);
              app = await connectApp("sequence");
            }
          }
          const name = barrierName();
          app.send({ type: name });
          await app.closedOrAnswered(name);
          app.close();
          await harness().witness.check();
        },
        0.1,
      ),
  );
});
