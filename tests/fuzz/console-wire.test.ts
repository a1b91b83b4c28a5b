import { liberalEvent } from "@debug-bridge/protocol";
import { check, wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated, spelled } from "./support/mutate.js";
import { exchange, FuzzPeer, renew } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { rawBytes, rawText } from "./support/text.js";

const { schema } = wires["console.frame"];
const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
const harness = sharedHub();
const envelope = (type: string, payload: object): object => ({
  version: "1.0.0",
  type,
  timestamp: "2026-01-01T00:00:00.000Z",
  payload,
});
const greeting = envelope("connection_status", { status: "connected" });
/** A ping is answered by a pong with the same id. */
const ping = (id: string): object => envelope("ping", { id });

async function connect(): Promise<FuzzPeer> {
  const peer = await FuzzPeer.connect(harness().hub.ready.console);
  onTestFinished(() => peer.close());
  return peer;
}

/** A frame is one message or a batch of them. */
function messagesIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

/** At most one answer for each message of a frame; an error for a frame with refused ones, nothing silently dropped. */
function expectAnswers(text: string, received: readonly Record<string, unknown>[]): void {
  const messages = messagesIn(text);
  expect(received.length, text).toBeLessThanOrEqual(messages.length);
  const isRead = (message: unknown): boolean =>
    check(schema, message).ok || check(schema, liberalEvent(message)).ok;
  const refused = messages.filter((message) => !isRead(message) || Array.isArray(message)).length;
  const errors = received.filter(({ type }) => type === "error");
  expect(errors.length, text).toBeGreaterThanOrEqual(refused > 0 ? 1 : 0);
  for (const message of received) expect(check(schema, message).ok, JSON.stringify(message)).toBe(true);
}

describe("the console wire", () => {
  let peer: FuzzPeer;
  const greet = async (): Promise<FuzzPeer> => {
    const greeted = await connect();
    await exchange(greeted, [JSON.stringify(greeting)], ping);
    return greeted;
  };
  beforeEach(async () => {
    peer = await greet();
  });

  const property = async (texts: readonly string[]): Promise<void> => {
    peer = await renew(peer, greet);
    const answers = await exchange(peer, texts, ping);
    for (const [index, text] of texts.entries()) expectAnswers(text, answers[index] ?? []);
    await harness().witness.check();
  };
  const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.array(text, { minLength: 1, maxLength: 15 });

  it("answers raw text with an error of the wire", { timeout: testTimeoutMs }, () =>
    fuzz(texts(rawText), 20, property, 0.2),
  );

  it("answers mutated messages at most once each", { timeout: testTimeoutMs }, () =>
    fuzz(texts(mutated(valid)), 30, property, 0.4),
  );

  it("accepts valid frames however they are spelled", { timeout: testTimeoutMs }, () =>
    fuzz(texts(spelled(valid)), 20, property, 0.2),
  );

  it("survives frames of any bytes", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(rawBytes, fc.boolean()),
      20,
      async ([bytes, binary]) => {
        const other = await connect();
        other.send(bytes, binary);
        other.send(ping("after-bytes"));
        await other.closedOrAnswered("after-bytes");
        other.close();
        await harness().witness.check();
      },
      0.1,
    ),
  );

  const event = fc.record({
    documentId: fc.constantFrom("d1", "d2", undefined),
    seq: fc.constantFrom(0, 1, 1, 7, Number.MAX_SAFE_INTEGER, undefined),
    tabId: fc.constantFrom(1, 2, -1),
    greets: fc.boolean(),
    status: fc.constantFrom("connected", "disconnected", "reconnecting"),
    count: fc.integer({ min: 1, max: 60 }),
  });

  it(
    "survives events before the greeting, repeated numbers, batches and statuses in any order",
    {
      timeout: testTimeoutMs,
    },
    () =>
      fuzz(
        fc.array(event, { minLength: 1, maxLength: 15 }),
        25,
        async (events) => {
          const other = await connect();
          for (const { documentId, seq, tabId, greets, status, count } of events) {
            if (greets) other.send(envelope("connection_status", { status }));
            const source = { tabId, url: "http://a.test/", title: "A", documentId };
            const payload = { method: "log", args: [{ type: "string", value: "x" }], seq };
            other.send(
              Array.from({ length: count }, () => ({ ...envelope("console_event", payload), source })),
            );
          }
          other.send(ping("after-events"));
          await other.closedOrAnswered("after-events");
          for (const message of other.messages()) expect(check(schema, message).ok).toBe(true);
          other.close();
          await harness().witness.check();
        },
        0.1,
      ),
  );
});
