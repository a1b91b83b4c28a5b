import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../fixtures.js";
import { FakeExtension, tab } from "../integration/relay/fake-extension.js";
import { sharedHub } from "./support/harness.js";
import { mutated } from "./support/mutate.js";
import { FuzzPeer } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { awkwardString, awkwardValue, rawBytes, rawText } from "./support/text.js";

const harness = sharedHub();
/** Above every id that the generators make. */
const FIRST_BARRIER = 1_000_000_000;
let nextBarrier = FIRST_BARRIER;

const METHODS = [
  ...[
    "Browser.getVersion",
    "Browser.close",
    "Browser.setDownloadBehavior",
    "Browser.grantPermissions",
    "SystemInfo.getInfo",
  ],
  ...[
    "Target.getTargets",
    "Target.setAutoAttach",
    "Target.attachToTarget",
    "Target.detachFromTarget",
    "Target.closeTarget",
  ],
  ...[
    "Target.createTarget",
    "Target.activateTarget",
    "Target.setDiscoverTargets",
    "Target.createBrowserContext",
    "Target.getTargetInfo",
  ],
  ...[
    "Page.enable",
    "Page.getFrameTree",
    "Page.navigate",
    "Page.createIsolatedWorld",
    "Page.addScriptToEvaluateOnNewDocument",
  ],
  ...[
    "Runtime.enable",
    "Runtime.evaluate",
    "Runtime.callFunctionOn",
    "Runtime.releaseObject",
    "Runtime.runIfWaitingForDebugger",
  ],
  ...[
    "Network.enable",
    "Fetch.enable",
    "Emulation.setDeviceMetricsOverride",
    "Storage.getCookies",
    "Nothing.atAll",
  ],
];

const params = fc.oneof(
  fc.constantFrom<object>(
    {},
    { targetId: "T1", flatten: true },
    { targetId: "T404" },
    { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
    { url: "http://a.test/" },
    { expression: "1" },
    { sessionId: "nobody" },
  ),
  fc.dictionary(
    fc.oneof(
      fc.constantFrom("targetId", "sessionId", "expression", "url", "frameId", "contextId", "objectId"),
      awkwardString,
    ),
    awkwardValue,
    { maxKeys: 4 },
  ),
);
const command = fc.record(
  {
    id: fc.integer({ min: 1, max: 1_000_000 }),
    method: fc.constantFrom(...METHODS),
    params,
    sessionId: fc.oneof(fc.constantFrom("LIVE", "", "nobody"), awkwardString),
  },
  { requiredKeys: ["id", "method"], noNullPrototype: true },
);

/** The id that the answer to a text must have, if it has one. */
function idOf(text: string): number | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return Number.isSafeInteger(id) ? (id as number) : undefined;
  } catch {
    return undefined;
  }
}

describe("the CDP wire", () => {
  let extension: FakeExtension;
  beforeEach(async () => {
    const { ready } = harness().hub;
    extension = await FakeExtension.connect(ready.relay, [tab(1), tab(2)], { instance: "fuzz" });
  });

  async function connectClient(): Promise<FuzzPeer> {
    const { ready, token } = harness().hub;
    const client = await FuzzPeer.connect(`${ready.relay}/cdp?token=${token}`);
    onTestFinished(() => client.close());
    return client;
  }

  /** As many answers as messages; each with the id of its message, if that has one. */
  const property = async (input: readonly string[]): Promise<void> => {
    const client = await connectClient();
    client.send({
      id: FIRST_BARRIER - 1,
      method: "Target.attachToTarget",
      params: { targetId: "T1", flatten: true },
    });
    await until(() => client.messages().some(({ id }) => id === FIRST_BARRIER - 1));
    const [answer] = client.messages().filter(({ id }) => id === FIRST_BARRIER - 1);
    const live = (answer?.result as { sessionId?: string } | undefined)?.sessionId ?? "";
    const texts = input.map((text) => text.replaceAll('"LIVE"', JSON.stringify(live)));
    const before = client.messages().filter(isAnswer).length;
    for (const text of texts) client.send(text);
    const answers = (): Record<string, unknown>[] => client.messages().filter(isAnswer).slice(before);
    await until(() => client.isClosed || answers().length >= texts.length);
    await expectNoMore(client, () => expect(answers().length).toBe(texts.length));
    for (const id of new Set(texts.map(idOf))) {
      if (id === undefined) continue;
      const asked = texts.filter((text) => idOf(text) === id).length;
      const answered = answers().filter((message) => message.id === id).length;
      expect(answered, JSON.stringify(texts)).toBe(asked);
    }
    expect(extension.invalid).toEqual([]);
    client.close();
    await harness().witness.check();
  };

  /** A client that the relay disconnected gets nothing more; for another, a last answer shows that nothing follows. */
  async function expectNoMore(client: FuzzPeer, counted: () => void): Promise<void> {
    if (client.isClosed) return;
    counted();
    const id = nextBarrier++;
    client.send({ id, method: "Browser.getVersion" });
    await until(() => client.isClosed || client.messages().some((message) => message.id === id));
    client.frames.splice(
      client.frames.findLastIndex((frame) => frame.includes(`"id":${id}`)),
      1,
    );
    if (!client.isClosed) counted();
  }

  const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.array(text, { minLength: 1, maxLength: 12 });

  it("answers raw text once each", { timeout: testTimeoutMs }, () => fuzz(texts(rawText), 20, property, 0.3));

  it("answers mutated commands once each", { timeout: testTimeoutMs }, () =>
    fuzz(texts(mutated(command)), 40, property, 0.3),
  );

  it("answers any order of commands once each", { timeout: testTimeoutMs }, () =>
    fuzz(texts(command.map((value) => JSON.stringify(value))), 40, property, 0.3),
  );

  it("survives frames of any bytes", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(rawBytes, fc.boolean()),
      15,
      async ([bytes, binary]) => {
        const client = await connectClient();
        client.send(bytes, binary);
        const id = nextBarrier++;
        client.send({ id, method: "Browser.getVersion" });
        await client.closedOrAnswered(`"id":${id}`);
        client.close();
        await harness().witness.check();
      },
      0.1,
    ),
  );
});

const isAnswer = (message: Record<string, unknown>): boolean => "result" in message || "error" in message;
