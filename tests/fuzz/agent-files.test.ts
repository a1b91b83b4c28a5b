import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { AgentFiles } from "./support/agent-files.js";
import { sharedHub } from "./support/harness.js";
import { mutated } from "./support/mutate.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { awkwardValue, rawBytes, rawText } from "./support/text.js";

const MAKE_PIPE = "mkfifo";
const root = mkdtempSync(join(tmpdir(), "debug-bridge-agents-"));
const files = new AgentFiles(root);
const harness = sharedHub(["--agent-dir", root]);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const eventArbitrary = arbitraryOf(wires["agent.event"].schema);
const sessionArbitrary = arbitraryOf(wires["agent.session-file"].schema).map((session) => ({
  ...(session as object),
  pid: process.pid,
}));
const line = fc.oneof(
  mutated(eventArbitrary).map((text) => Buffer.from(text)),
  eventArbitrary.map((event) => Buffer.from(JSON.stringify(event))),
  rawText.map((text) => Buffer.from(text)),
  rawBytes,
  fc.constant(Buffer.alloc(9 * 1024 * 1024, "x")),
);
const fileText = fc.oneof(mutated(sessionArbitrary), mutated(sessionArbitrary), rawText);
const SPECIAL = ["events.jsonl", "commands.jsonl", "session.json", "blobs"] as const;

/** Puts something at a path that is not a regular file. */
function makeSpecial(path: string, kind: string): void {
  rmSync(path, { recursive: true, force: true });
  if (kind === "fifo") execFileSync(MAKE_PIPE, [path]);
  else if (kind === "folder") mkdirSync(path);
  else symlinkSync(kind === "loop" ? path : kind === "device" ? "/dev/zero" : "/etc/hostname", path);
}

/** The healthy agent's next event arrives, and everything that the hub lists has its form. */
async function expectFollowing(): Promise<void> {
  const { hub, witness } = harness();
  files.restoreIndex();
  const name = files.appendSteady();
  const events = await until(async () => {
    const response = await hub.api("/v1/sessions/agent:steady/events?since=0");
    if (!response.ok) return undefined;
    const body = (await response.json()) as { events: { sequence: number; data: { name?: string } }[] };
    return body.events.some(({ data }) => data?.name === name) ? body.events : undefined;
  });
  const first = events[0]?.sequence ?? 0;
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => first + index));
  const { sessions } = (await (await hub.api("/v1/sessions")).json()) as { sessions: unknown[] };
  for (const session of sessions) {
    const checked = wires["api.session"].schema.safeParse(session);
    expect(checked.success, `${JSON.stringify(session)} ${checked.error?.message}`).toBe(true);
  }
  await witness.check();
}

describe("agent files", () => {
  it("of any content are read without harm to other agents", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.record({
        session: fileText,
        lines: fc.array(line, { maxLength: 8 }),
        cut: fc.nat(),
        index: fc.oneof(
          rawText,
          mutated(fc.record({ sessions: fc.array(sessionArbitrary, { maxLength: 3 }) })),
        ),
        tornIndex: fc.boolean(),
      }),
      20,
      async ({ session, lines, cut, index, tornIndex }) => {
        const { id, folder } = files.create();
        writeFileSync(join(folder, "session.json"), session);
        const bytes = Buffer.concat(lines.flatMap((each) => [each, Buffer.from("\n")]));
        const middle = bytes.length === 0 ? 0 : cut % bytes.length;
        appendFileSync(join(folder, "events.jsonl"), bytes.subarray(0, middle));
        files.writeIndex(index, tornIndex);
        await harness().hub.expectHealthy();
        files.announce(id);
        appendFileSync(join(folder, "events.jsonl"), bytes.subarray(middle));
        await expectFollowing();
        files.remove(folder);
      },
      0.4,
    ),
  );

  it("that are not regular files are not opened", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.record({
        name: fc.constantFrom(...SPECIAL),
        kind: fc.constantFrom("fifo", "folder", "link", "loop", "device"),
        isLate: fc.boolean(),
      }),
      10,
      async ({ name, kind, isLate }) => {
        const { id, folder } = files.create();
        files.announce(id);
        if (isLate) await expectFollowing();
        makeSpecial(join(folder, name), kind);
        files.announce(id);
        await expectFollowing();
        await harness()
          .hub.api(`/v1/sessions/agent:${id}/commands`, {
            method: "POST",
            body: '{"type":"pause"}',
            signal: AbortSignal.timeout(200),
          })
          .catch(() => {});
        await expectFollowing();
        files.remove(folder);
      },
      0.2,
    ),
  );

  it("with an index that is not a regular file do no harm", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.constantFrom("fifo", "folder", "link", "loop", "device"),
      5,
      async (kind) => {
        makeSpecial(files.index, kind);
        await harness().hub.expectHealthy();
        rmSync(files.index, { recursive: true, force: true });
        await expectFollowing();
      },
      0.1,
    ),
  );

  const answer = fc.record(
    {
      success: fc.oneof(fc.boolean(), awkwardValue),
      error: awkwardValue,
      code: awkwardValue,
      data: fc.oneof(
        awkwardValue,
        fc.constantFrom<unknown>({ $blob: "a".repeat(64), bytes: 1 }, [
          { $blob: "b".repeat(64) },
          { $blob: "../../session.json" },
        ]),
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  it("that answer a command with anything give its sender one answer", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(answer, rawBytes, fc.constantFrom("command_response", "command_executed")),
      15,
      async ([data, blob, type]) => {
        const { id, folder } = files.create();
        files.announce(id);
        mkdirSync(join(folder, "blobs"), { recursive: true });
        writeFileSync(join(folder, "blobs", "a".repeat(64)), blob);
        execFileSync(MAKE_PIPE, [join(folder, "blobs", "b".repeat(64))]);
        await until(async () => (await harness().hub.api(`/v1/sessions/agent:${id}`)).ok);
        const asked = harness().hub.api(`/v1/sessions/agent:${id}/commands`, {
          method: "POST",
          body: '{"type":"pause"}',
        });
        const commandId = await until(() => files.lastCommandId(folder));
        const record = { type, data: { ...data, commandId } };
        appendFileSync(join(folder, "events.jsonl"), `${JSON.stringify(record)}\n`);
        const response = await asked;
        expect(await response.json()).toMatchObject({ type: "command_result", success: expect.any(Boolean) });
        await expectFollowing();
        files.remove(folder);
      },
      0.3,
    ),
  );
});
