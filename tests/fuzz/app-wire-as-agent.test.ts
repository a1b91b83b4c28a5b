import { decode, parseBounded, wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../fixtures.js";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated, spelled } from "./support/mutate.js";
import { barrierName, exchange, FuzzPeer, renew } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { rawText } from "./support/text.js";

const { schema, limits } = wires["app.command"];
const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
const harness = sharedHub();

type Message = Record<string, unknown>;

async function connect(role: "app" | "agent", sessionId: string): Promise<FuzzPeer> {
  const { ready, token } = harness().hub;
  const query = `role=${role}&sessionId=${sessionId}${role === "agent" ? `&token=${token}` : ""}`;
  const peer = await FuzzPeer.connect(`${ready.hub.replace("http", "ws")}/debug?${query}`);
  onTestFinished(() => peer.close());
  return peer;
}

/** An app that answers every command with success. */
async function answeringApp(sessionId: string): Promise<FuzzPeer> {
  const app = await connect("app", sessionId);
  app.socket.on("message", (data) => {
    const { origin, type, requestId } = JSON.parse(String(data)) as Message;
    if (origin !== "agent" || type === "cancel") return;
    const base = { sessionId, timestamp: 1, origin: "app", type: "command_result" };
    app.send({ ...base, requestType: type, requestId, success: true });
  });
  return app;
}

const isResult = ({ type }: Message): boolean => type === "command_result";
/** No command at all, so that it has an error, which quotes it, and no result. */
const barrier = (name: string): string => name;
const isError = ({ type }: Message): boolean => type === "bridge_error";

describe("the app wire, as an agent", () => {
  let agent: FuzzPeer;
  beforeEach(async () => {
    await answeringApp("commanded");
    agent = await connect("agent", "commanded");
  });

  /** Every valid command has one result; what is refused has one error, and one result if it was a request. */
  async function expectAnswers(texts: readonly string[]): Promise<void> {
    agent = await renew(agent, () => connect("agent", "commanded"));
    const answers = await exchange(agent, texts, barrier);
    const commands = texts.filter((text) => decode(schema, text, limits).ok).length;
    let results = 0;
    texts.forEach((text, index) => {
      const received = answers[index] ?? [];
      const isCommand = decode(schema, text, limits).ok;
      expect(received.filter(isError).length, text).toBe(isCommand ? 0 : 1);
      const refusals = received.filter((message) => isResult(message) && isRefusal(message));
      if (!isCommand) expect(refusals.length, text).toBeLessThanOrEqual(1 + commands);
      results += received.filter(isResult).length;
    });
    const requests = texts.filter((text) => !decode(schema, text, limits).ok && hasType(text)).length;
    const late = (): number => agent.messages().filter(isResult).length;
    await until(() => results + late() >= commands + requests);
    const name = barrierName();
    agent.send(barrier(name));
    await agent.closedOrAnswered(name);
    expect(results + late()).toBe(commands + requests);
    agent.frames.length = 0;
  }

  const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.array(text, { minLength: 1, maxLength: 15 });

  it("answers raw text with exactly one error each", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(rawText),
      20,
      async (input) => {
        await expectAnswers(input);
        await harness().witness.check();
      },
      0.2,
    ),
  );

  it("answers mutated commands once each", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(mutated(valid)),
      20,
      async (input) => {
        await expectAnswers(input);
        await harness().witness.check();
      },
      0.4,
    ),
  );

  it("answers valid commands once each, however they are spelled", { timeout: testTimeoutMs }, () =>
    fuzz(
      texts(spelled(valid)),
      25,
      async (input) => {
        await expectAnswers(input);
        await harness().witness.check();
      },
      0.2,
    ),
  );

  const id = fc.constantFrom("r1", "r2", "__proto__", "hub-1");
  const step = fc.oneof(
    fc.record({ type: fc.constantFrom("click", "hover"), requestId: id, target: fc.constant({ id: "x" }) }),
    fc.record({ type: fc.constant("cancel"), requestId: id }),
    fc.record({ type: fc.constant("acquire_lease"), requestId: id, ttlMs: fc.constantFrom(1, 1_000) }),
    fc.record({ type: fc.constant("release_lease"), requestId: id }),
    fc.record({ type: fc.constant("request_ui_tree"), requestId: id, idempotencyKey: fc.constant("k") }),
  );
  const move = fc.record({ who: fc.nat(1), command: step, leaves: fc.nat(19).map((n) => n === 0) });

  it(
    "answers every command once with reused ids, cancels, leases and an app that leaves",
    { timeout: testTimeoutMs },
    () =>
      fuzz(
        fc.array(move, { minLength: 1, maxLength: 25 }),
        12,
        async (moves) => {
          const sessionId = `contested-${barrierName()}`;
          let app = await answeringApp(sessionId);
          const agents = await Promise.all([connect("agent", sessionId), connect("agent", sessionId)]);
          const sent = [0, 0];
          for (const { who, command, leaves } of moves) {
            // Without an instance every app answers, and for a moment there are two.
            const base = { sessionId, timestamp: 1, origin: "agent", instanceId: "newest" };
            agents[who]?.send({ ...base, ...command });
            sent[who] = (sent[who] ?? 0) + 1;
            if (!leaves) continue;
            app.close();
            app = await answeringApp(sessionId);
          }
          const results = (): number[] => agents.map((each) => each.messages().filter(isResult).length);
          await until(() => results().every((count, who) => count >= (sent[who] ?? 0)));
          const name = barrierName();
          for (const each of agents) each.send(barrier(name));
          await Promise.all(agents.map((each) => each.closedOrAnswered(name)));
          expect(results()).toEqual(sent);
          for (const peer of [app, ...agents]) peer.close();
          await harness().witness.check();
        },
        0.2,
      ),
  );
});

const isRefusal = ({ success, origin }: Message): boolean => success === false && origin === "hub";

/** Whether a refused frame says what it was: then it is answered like a command. */
function hasType(text: string): boolean {
  const parsed = parseBounded(text, limits);
  return parsed.ok && typeof (parsed.value as { type?: unknown } | null)?.type === "string";
}
