import { join } from "node:path";
import { debugPaths, readLines, readSessions } from "@debug-bridge/journal";
import { readRecording } from "@debug-bridge/runner/reproduce";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";

let kinds: AllKinds;
beforeAll(async () => {
  kinds = await AllKinds.start();
});
afterAll(() => kinds.close());

const api = (kind: Kind, method: string) =>
  fetch(`${kinds.hub.url}/v1/sessions/${kinds.ids[kind]}/recording`, {
    method,
    headers: { authorization: `Bearer ${kinds.hub.token}` },
  });

/** What was written of a session, once it has ended. */
function written(kind: Kind): object[] | undefined {
  const session = readSessions(kinds.home).findLast(({ name }) => name === kinds.ids[kind]);
  if (session?.endTime === undefined) return undefined;
  const file = join(debugPaths(kinds.home).sessions, session.id, "events.jsonl");
  return [...readLines(file)].map(({ text }) => JSON.parse(text) as object);
}

describe("a recording", () => {
  test.each(KINDS)(
    "of kind %s has an agent's click as a step, in a page that was just loaded",
    async (kind) => {
      expect((await api(kind, "POST")).status).toBe(200);
      await kinds.reload(kind);
      await kinds.clients[kind].act({ type: "click", target: { text: "Buy" } });
      await kinds.clients[kind].act({ type: "press", key: "Escape" });
      expect((await api(kind, "DELETE")).status).toBe(200);
      const records = (await until(() => written(kind))) as { timestamp: string }[];
      const recording = readRecording(
        records.map((record) => ({ ...record, timestamp: Date.parse(record.timestamp) })) as never,
      );
      expect(recording.url).toContain("load=");
      expect(recording.steps).toMatchObject([
        {
          action: "click",
          by: "agent",
          locators: [{ by: "role", role: "button", value: "Buy" }, { by: "css" }],
        },
        { action: "press", by: "agent", key: "Escape" },
      ]);
      expect(recording.exchanges).toMatchObject([{ method: "POST", status: 201, body: "{}" }]);
    },
  );
});
