import type { CommandResult, TimelineRecord } from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";
import { SCRIPT, type Step } from "./script.js";
import { commandLine, http, mcp, type Way, webSocket } from "./ways.js";

const TIMEOUT_MS = 1_200_000;

let kinds: AllKinds;

beforeAll(async () => {
  kinds = await AllKinds.start();
});

afterAll(() => kinds?.close());

/** What an answer says, without the ids of this command and the browser's own log, which only CDP sees. */
function essence({ success, error, applied, value, result, receipt }: CommandResult): object {
  const { settled, appeared, vanished, changed, errors, console: lines, requests } = receipt ?? {};
  return {
    ...{ success, error, applied, value, result },
    receipt: {
      ...{ settled, appeared, vanished, changed, errors, requests },
      lines: lines?.filter(({ text }) => !text.startsWith("Failed to load resource:")),
    },
  };
}

const dataOf = <Data>({ data }: TimelineRecord): Data => data as Data;

/** Sends one step, and reads from the timeline what the session answered. Both are there exactly once. */
async function answerOf(kind: Kind, way: Way, { command, error }: Step): Promise<object> {
  const reader = kinds.hub.connectClient({ name: "reader" });
  try {
    const before = reader.sequence(kinds.ids[kind]);
    const verdict = await way.send(kind, command);
    if (way.name === "command line") expect(verdict).toBe(error === undefined ? "done" : "failed");
    else expect(verdict).toBe(error ?? "done");
    const records = (type: string): TimelineRecord[] =>
      reader.records(kinds.ids[kind], before).filter((record) => record.type === type);
    await until(() => records("command_result").length > 0);
    const sent = records("command").map((record) => dataOf<{ type: string }>(record).type);
    expect(sent).toEqual([command.type]);
    const results = records("command_result").map((record) => dataOf<CommandResult>(record));
    expect(results).toHaveLength(1);
    return kinds.comparable(kind, essence(results[0] as CommandResult));
  } finally {
    reader.close();
  }
}

async function runScript(kind: Kind, way: Way): Promise<object[]> {
  await kinds.reload(kind);
  const answers: object[] = [];
  for (const [index, step] of SCRIPT.entries()) {
    try {
      answers.push(await answerOf(kind, way, step));
    } catch (thrown) {
      throw new Error(`step ${index + 1} (${step.command.type}) over ${way.name} in ${kind}`, {
        cause: thrown,
      });
    }
  }
  return answers;
}

it(
  "[ARC-002, ARC-033] 40 steps give the same answers in every kind of session, over every way to send them",
  async () => {
    expect(SCRIPT).toHaveLength(40);
    const expected = await runScript("app", webSocket(kinds));
    for (const way of [webSocket(kinds), http(kinds), await mcp(kinds), commandLine(kinds)]) {
      const answers = await Promise.all(KINDS.map((kind) => runScript(kind, way)));
      for (const [index, kind] of KINDS.entries()) {
        for (const [number, answer] of (answers[index] ?? []).entries()) {
          const where = `step ${number + 1} (${SCRIPT[number]?.command.type}) over ${way.name} in ${kind}`;
          expect(answer, where).toEqual(expected[number]);
        }
      }
    }
  },
  TIMEOUT_MS,
);
