import {
  ACTING_COMMANDS,
  type CommandInput,
  type CommandResult,
  type TimelineRecord,
} from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditRecords } from "../../support/hub/audit.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";
import { comparableResult, withoutTyped } from "./answers.js";
import { SCRIPT, type Step } from "./script.js";
import { commandLine, http, mcp, type Way, type WayAnswer, webSocket } from "./ways.js";

const TIMEOUT_MS = 1_200_000;
const ACTING: ReadonlySet<string> = new Set(ACTING_COMMANDS);

let kinds: AllKinds;

beforeAll(async () => {
  kinds = await AllKinds.start();
});

afterAll(() => kinds?.close());

interface SentCommand {
  readonly type: string;
  readonly client: string;
  readonly target?: unknown;
}

const dataOf = <Data>({ data }: TimelineRecord): Data => data as Data;

/** One command in the timeline, and what came of it. */
interface Recorded {
  readonly command: SentCommand;
  readonly result: CommandResult;
}

/** What the timeline has since a record: every command and its result, each once. */
function recordedSince(kind: Kind, since: number): Recorded[] {
  const reader = kinds.hub.connectClient({ name: "reader" });
  const records = reader.records(kinds.ids[kind], since);
  reader.close();
  const results = records.filter(({ type }) => type === "command_result");
  const commands = records.filter(({ type }) => type === "command");
  expect(results.map(({ causedBy }) => causedBy)).toEqual(commands.map(({ sequence }) => sequence));
  return commands.map((command, i) => ({
    command: dataOf(command),
    result: dataOf(results[i] as TimelineRecord),
  }));
}

function sequenceOf(kind: Kind): number {
  const reader = kinds.hub.connectClient({ name: "reader" });
  const sequence = reader.sequence(kinds.ids[kind]);
  reader.close();
  return sequence;
}

interface AuditEntry {
  readonly who: string;
  readonly what: string;
  readonly session?: string;
  readonly target?: unknown;
  readonly outcome: string;
}

const auditLine = ({ who, what, target, outcome }: AuditEntry): string =>
  [who, what, JSON.stringify(target), outcome].join(" ");

/** What the audit log has about a session, sorted; without the loads of the page before each run of the script. */
const audited = (kind: Kind): string[] =>
  (auditRecords(kinds.home) as unknown as AuditEntry[])
    .filter(({ session, what }) => session === kinds.ids[kind] && what !== "navigate")
    .map(auditLine)
    .sort();

/** What the audit log must have about each session, from all runs so far. */
const acts: Record<Kind, string[]> = { app: [], tab: [], browser: [] };

/** What came back over the way itself says the same as the record. */
function expectSaysTheSame(
  answer: WayAnswer,
  { command, error }: Step,
  record: CommandResult,
  way: Way,
): void {
  if (error !== undefined) {
    expect(answer.verdict).toBe(way.name === "command line" ? "failed" : error);
    if (answer.result === undefined) expect(answer.text).toContain(record.message);
  } else expect(answer.verdict).toBe("done");
  const { result } = answer;
  if (result === undefined) expect(answer.text).toContain(record.result ?? "");
  else if (way.name !== "command line")
    expect(withoutTyped(result, command)).toEqual(withoutTyped(record, command));
  else if (command.type === "request_ui_tree")
    // `observe` prints what a reader wants to see of it.
    expect(result).toMatchObject({ text: expect.stringContaining(record.result as string), ...record.page });
  else expect(withoutPlaces(result, command)).toEqual(withoutPlaces(record, command));
}

/** `act` adds to errors where they are in the code. */
function withoutPlaces(result: Partial<CommandResult>, command: CommandInput): object {
  const { receipt, ...rest } = withoutTyped(result, command) as CommandResult;
  const { errors, ...others } = receipt ?? {};
  return { ...rest, receipt: others, errors: errors?.length };
}

/** Sends one step. Returns what the session answered, by the timeline. */
async function answerOf(kind: Kind, way: Way, step: Step): Promise<object> {
  const before = sequenceOf(kind);
  const answer = await way.send(kind, step.command);
  const [recorded, ...others] = recordedSince(kind, before);
  expect(recorded?.command.type).toBe(step.command.type);
  expect(others).toEqual([]);
  const { result } = recorded as Recorded;
  expect(result.error).toBe(step.error);
  expectSaysTheSame(answer, step, result, way);
  return comparableResult(kinds, kind, result);
}

async function runScript(kind: Kind, way: Way): Promise<object[]> {
  await kinds.reload(kind);
  const start = sequenceOf(kind);
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
  const recorded = recordedSince(kind, start);
  expect(recorded.map(({ command }) => command.type)).toEqual(SCRIPT.map(({ command }) => command.type));
  for (const { command, result } of recorded)
    if (ACTING.has(command.type))
      acts[kind].push(
        auditLine({ ...command, who: command.client, what: command.type, outcome: result.error ?? "done" }),
      );
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

it("each of these commands that acts is in the audit log once, with who sent it and its outcome", async () => {
  // Repeated refusals are counted before they are written.
  await kinds.closeHub();
  for (const kind of KINDS) {
    expect(acts[kind].length, kind).toBeGreaterThan(100);
    expect(audited(kind), kind).toEqual(acts[kind].sort());
  }
});
