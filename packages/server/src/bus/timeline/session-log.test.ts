import { expect, test, vi } from "vitest";
import { Policy } from "../../dispatch/policy.js";
import { Session } from "../../sessions/session.js";
import type { DurableLog } from "../bus.js";
import { SessionLog } from "./session-log.js";

test("nobody waits for a bus that refuses at once for more than some seconds", async () => {
  const refusing: DurableLog = {
    append: () => Promise.reject(new Error("no leader")),
    newest: async () => undefined,
    next: async () => undefined,
    read: async () => [],
    purge: async () => {},
  };
  const own = { isOwn: async () => true, giveUp: () => {} };
  const claimOf = () => ({ hub: "a", life: "1", term: 1, revision: 1 });
  const log = new SessionLog(refusing, { ...own, claimOf });
  const session: Session = new Session("s", {
    ...{
      version: "1",
      policy: new Policy({ readOnly: false }),
      onEntry: () => {},
      onAudit: () => {},
      onPeersChanged: () => {},
    },
    store: (_session, entry) => log.append(session, entry),
  });
  session.record("console", 1, "{}");
  const started = performance.now();
  expect(session.held.settled()).toBeDefined();
  await vi.waitFor(() => expect(session.held.settled()).toBeUndefined(), 30_000);
  expect(performance.now() - started).toBeGreaterThan(1_900);
  session.forget();
  log.forget(session);
  await log.close(0);
});

test("a hub that closes stores what waits, and stops trying when the bus refuses it", async () => {
  const append = vi.fn<DurableLog["append"]>(() => Promise.reject(new Error("closed")));
  const bus: DurableLog = {
    append,
    newest: async () => undefined,
    next: async () => undefined,
    read: async () => [],
    purge: async () => {},
  };
  const claimOf = () => ({ hub: "a", life: "1", term: 1, revision: 1 });
  const log = new SessionLog(bus, { isOwn: async () => true, giveUp: () => {}, claimOf });
  const session = { id: "s", held: { release: () => {} }, pages: { deduplicator: { snapshot: () => [] } } };
  const entry = { type: "console", at: 1, sequence: 1, json: "{}", causedBy: undefined, source: "" };
  log.append(session as unknown as Session, entry);
  await log.close(300);
  const tries = append.mock.calls.length;
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThan(10);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(append).toHaveBeenCalledTimes(tries);
  append.mockResolvedValue(7);
  const other = new SessionLog(bus, { isOwn: async () => true, giveUp: () => {}, claimOf });
  other.append(session as unknown as Session, entry);
  await other.close(300);
  expect(append).toHaveBeenCalledTimes(tries + 1);
});
