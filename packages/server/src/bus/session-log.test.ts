import { expect, test, vi } from "vitest";
import { Policy } from "../dispatch/policy.js";
import { Session } from "../sessions/session.js";
import type { DurableLog } from "./bus.js";
import { SessionLog } from "./session-log.js";

test("nobody waits for a bus that refuses at once for more than some seconds", async () => {
  const refusing: DurableLog = {
    append: () => Promise.reject(new Error("no leader")),
    newest: async () => undefined,
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
  const begun = performance.now();
  expect(session.held.settled()).toBeDefined();
  await vi.waitFor(() => expect(session.held.settled()).toBeUndefined(), 30_000);
  expect(performance.now() - begun).toBeGreaterThan(1_900);
  session.forget();
  log.forget(session);
});
