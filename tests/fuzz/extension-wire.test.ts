import { decode, wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../fixtures.js";
import { FakeExtension, tab } from "../integration/relay/fake-extension.js";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated, spelled } from "./support/mutate.js";
import { FuzzPeer } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { rawBytes, rawText } from "./support/text.js";

const { schema, limits } = wires["extension.message"];
const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
const harness = sharedHub();
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** The extension of the same browser again: it replaces its earlier connection. */
async function connectExtension(): Promise<FakeExtension> {
  const { ready } = harness().hub;
  return FakeExtension.connect(ready.relay, [tab(1), tab(2)], { instance: "fuzz" });
}

async function connectClient(): Promise<FuzzPeer> {
  const { ready, token } = harness().hub;
  const client = await FuzzPeer.connect(`${ready.relay}/cdp?token=${token}`);
  onTestFinished(() => client.close());
  client.send({ id: 1, method: "Target.setAutoAttach", params: AUTO_ATTACH });
  return client;
}

const answersTo = (client: FuzzPeer, id: number): Record<string, unknown>[] =>
  client.messages().filter((message) => message.id === id);

/** Two commands, one for the relay and one for the page, each answered once; every frame is JSON. */
async function expectAnswers(client: FuzzPeer): Promise<void> {
  const attached = client.messages().find(({ method }) => method === "Target.attachedToTarget");
  const { sessionId } = (attached?.params ?? {}) as { sessionId?: string };
  client.send({ id: 2, method: "Browser.getVersion" });
  client.send({
    id: 3,
    method: "Runtime.evaluate",
    params: { expression: "1" },
    ...(sessionId ? { sessionId } : {}),
  });
  await until(() => [1, 2, 3].every((id) => answersTo(client, id).length > 0));
  for (const id of [1, 2, 3]) expect(answersTo(client, id)).toHaveLength(1);
}

/**
 * Frames that begin like those of our extension are forwarded unparsed, because parsing them would double the cost of
 * the relay. The extension is a trusted peer, so such frames are generated only if they are valid.
 */
const looksLikeOurs = /^\{"(?:id":\d{1,15},"(?:result|error)"|method":"cdpEvent")/;
const isSafe = (text: string): boolean => !looksLikeOurs.test(text) || decode(schema, text, limits).ok;

describe("the extension wire", () => {
  const property = async (texts: readonly string[]): Promise<void> => {
    const extension = await connectExtension();
    const client = await connectClient();
    for (const text of texts) extension.socket.send(text);
    await expectAnswers(client);
    for (const text of texts) extension.socket.send(text);
    expect(extension.invalid).toEqual([]);
    client.close();
    extension.socket.terminate();
    await harness().witness.check();
  };
  const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.array(text.filter(isSafe), { minLength: 1, maxLength: 15 });

  it("survives raw text, and still answers its clients", { timeout: testTimeoutMs }, () =>
    fuzz(texts(rawText), 20, property, 0.25),
  );

  it("survives mutated messages, and still answers its clients", { timeout: testTimeoutMs }, () =>
    fuzz(texts(mutated(valid)), 30, property, 0.25),
  );

  it("survives valid messages in any order and spelling", { timeout: testTimeoutMs }, () =>
    fuzz(texts(spelled(valid)), 30, property, 0.25),
  );

  it("survives frames of any bytes", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(rawBytes, fc.boolean()),
      15,
      async ([bytes, binary]) => {
        const extension = await connectExtension();
        extension.socket.on("error", () => {});
        extension.socket.send(bytes, { binary });
        extension.socket.terminate();
        await harness().witness.check();
      },
      0.1,
    ),
  );

  const tabId = fc.constantFrom(1, 2, 3);
  const step = fc.oneof(
    fc.record({ method: fc.constant("tabOpened"), params: tabId.map((id) => ({ tab: tab(id) })) }),
    fc.record({ method: fc.constant("tabClosed"), params: fc.record({ tabId }) }),
    fc.record({
      method: fc.constant("tabDetached"),
      params: fc.record({ tabId, reason: fc.constantFrom("canceled_by_user", "target_closed") }),
    }),
    fc.record({
      method: fc.constant("tabUpdated"),
      params: fc.record({ tabId, url: fc.constantFrom("http://a.test/", "about:blank") }),
    }),
    fc.record({
      method: fc.constant("cdpEvent"),
      params: fc.record({
        tabId,
        method: fc.constantFrom(
          "Target.attachedToTarget",
          "Target.detachedFromTarget",
          "Runtime.executionContextCreated",
          "Runtime.executionContextsCleared",
          "Page.frameNavigated",
          "Page.javascriptDialogOpening",
        ),
        params: fc.constantFrom<object>(
          {},
          {
            sessionId: "child",
            targetInfo: { targetId: "F", type: "iframe", url: "", title: "" },
            waitingForDebugger: true,
          },
          { sessionId: "child" },
          { context: { id: 3, auxData: null } },
          { frame: null },
          { frame: { id: "T1", url: 5 } },
        ),
      }),
    }),
    fc.record({ id: fc.integer({ min: 1, max: 40 }), result: fc.constantFrom<unknown>({}, null, [], "x") }),
    fc.record({
      id: fc.integer({ min: 1, max: 40 }),
      error: fc.constantFrom("", '{"message":5}', "{", "stale: x"),
    }),
    fc.constant({ method: "hello", params: { userAgent: "again", product: "Chrome/1" } }),
  );

  it(
    "survives tabs that come and go, events of unknown pages and replies nobody asked for",
    {
      timeout: testTimeoutMs,
    },
    () =>
      fuzz(
        fc.array(
          step.map((message) => JSON.stringify(message)),
          { minLength: 1, maxLength: 20 },
        ),
        40,
        property,
        0.15,
      ),
  );
});
