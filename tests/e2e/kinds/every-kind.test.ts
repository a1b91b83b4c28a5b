import type { CommandInput, SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { busyTurns, type RunningAgent, startAgent } from "../../support/agents/agents.js";
import { auditRecords } from "../../support/hub/audit.js";
import { AllKinds, KINDS } from "./all-kinds.js";

/** Each kind of session with a command that acts and one that only looks. */
interface Subject {
  readonly kind: SessionSummary["kind"];
  readonly id: string;
  readonly act: object;
  readonly look: object;
}

let kinds: AllKinds;
let agent: RunningAgent;
const subjects: Subject[] = [];

beforeAll(async () => {
  kinds = await AllKinds.start();
  agent = await startAgent(kinds.home, busyTurns(10_000), ["--pause"]);
  for (const kind of KINDS)
    subjects.push({
      kind,
      id: kinds.ids[kind],
      act: { type: "press", key: "Escape" } satisfies CommandInput,
      look: { type: "request_ui_tree", format: "text", maxTokens: 300 } satisfies CommandInput,
    });
  subjects.push({
    kind: "agent",
    id: agent.id,
    act: { type: "pause" },
    look: { type: "inspect" },
  });
  await until(async () => (await kinds.sessions()).some(({ id }) => id === agent.id));
});

afterAll(async () => {
  agent?.child.kill("SIGKILL");
  await kinds?.close();
});

async function get<Value>(path: string): Promise<Value> {
  const headers = { authorization: `Bearer ${kinds.hub.token}` };
  return (await (await fetch(`${kinds.hub.url}/v1${path}`, { headers })).json()) as Value;
}

async function post(id: string, client: string, body: object): Promise<{ status: number; error?: string }> {
  const response = await fetch(`${kinds.hub.url}/v1/sessions/${id}/commands`, {
    method: "POST",
    headers: { authorization: `Bearer ${kinds.hub.token}`, "x-debug-bridge-client": client },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: string | { code: string } };
  const code = typeof error === "string" ? error : error?.code;
  return { status: response.status, ...(code === undefined ? {} : { error: code }) };
}

const recordsOf = async (id: string, since = 0): Promise<TimelineRecord[]> =>
  (await get<{ events: TimelineRecord[] }>(`/sessions/${id}/events?since=${since}`)).events;

/** Who did what in a session, and how it ended, in alphabetical order. */
function audited(id: string): string[] {
  return (auditRecords(kinds.home) as { session?: string; who: string; what: string; outcome: string }[])
    .filter(({ session }) => session === id)
    .map(({ who, what, outcome }) => `${who} ${what} ${outcome}`)
    .sort();
}

describe("app, tab, browser and agent sessions, each from its real provider", () => {
  it("are listed once, as what they are", async () => {
    const sessions = await kinds.sessions();
    for (const { id, kind } of subjects) {
      expect(sessions.filter((each) => each.id === id)).toMatchObject([{ kind, connected: true }]);
      expect(await get(`/sessions/${id}`)).toMatchObject({ id, kind, title: expect.any(String) });
    }
  });

  it("have records of one shape, numbered without a hole", async () => {
    for (const { id, kind } of subjects) {
      const records = await recordsOf(id);
      expect(records.length, kind).toBeGreaterThan(0);
      const first = records[0]?.sequence ?? 0;
      for (const [index, record] of records.entries()) {
        expect(record, kind).toMatchObject({
          sessionId: id,
          sequence: first + index,
          type: expect.any(String),
        });
        expect(Date.parse(record.timestamp), kind).toBeGreaterThan(0);
        expect(record, kind).toHaveProperty("data");
      }
      expect((await recordsOf(id, first)).at(0)?.sequence, kind).toBe(first + 1);
    }
  });

  it("refuse a command that does not exist with the same error", async () => {
    for (const { id, kind } of subjects)
      expect(await post(id, "ada", { type: "levitate" }), kind).toEqual({
        status: 400,
        error: "unknown_type",
      });
  });

  it("are used by one client alone while it holds the lease; others still look", async () => {
    for (const { id, kind, act, look } of subjects) {
      expect(await post(id, "ada", { type: "acquire_lease", ttlMs: 60_000 }), kind).toEqual({ status: 200 });
      expect(await get(`/sessions/${id}`), kind).toMatchObject({ leaseOwner: "http:ada" });
      expect(await post(id, "bob", act), kind).toEqual({ status: 409, error: "lease_held" });
      expect(await post(id, "bob", { type: "acquire_lease" }), kind).toMatchObject({ error: "lease_held" });
      expect(await post(id, "bob", look), kind).toEqual({ status: 200 });
      expect(await post(id, "ada", act), kind).toEqual({ status: 200 });
      const what = (act as { type: string }).type;
      const wanted = [
        "http:ada acquire_lease done",
        `http:ada ${what} done`,
        "http:bob acquire_lease lease_held",
        `http:bob ${what} lease_held`,
      ];
      // Other tests may have sent commands before.
      const inLog = (): string[] => audited(id).filter((line) => wanted.includes(line));
      await until(() => inLog().length >= wanted.length);
      expect(inLog(), kind).toEqual(wanted);
      expect(await post(id, "ada", { type: "release_lease" }), kind).toEqual({ status: 200 });
      await until(() => audited(id).includes("http:ada release_lease done"));
      expect(await post(id, "bob", act), kind).toEqual({ status: 200 });
    }
  });

  it("answer app_not_connected when their provider is gone, and keep their records", async () => {
    const endings = {
      app: () => kinds.closeApp(),
      tab: () => kinds.stage.person.kill(),
      browser: () => kinds.browsers.closeAll(),
      agent: async () => void agent.child.kill("SIGKILL"),
    };
    for (const client of Object.values(kinds.clients)) client.close();
    for (const { id, kind, act } of subjects) {
      const [first] = await recordsOf(id);
      await endings[kind]();
      await until(async () => !(await kinds.sessions()).some((each) => each.id === id && each.connected));
      expect(await post(id, "ada", act), kind).toEqual({ status: 409, error: "app_not_connected" });
      expect((await recordsOf(id))[0], kind).toEqual(first);
    }
  });
});
