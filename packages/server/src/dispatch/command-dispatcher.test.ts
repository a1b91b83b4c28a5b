import type { Command } from "@debug-bridge/protocol";
import { describe, expect, test, vi } from "vitest";
import { type AppOptions, AppPeer } from "../sessions/peers/app-peer.js";
import { type Answer, CommandDispatcher, HUB } from "./command-dispatcher.js";
import { Policy } from "./policy.js";

function stage() {
  const apps = new Set<AppPeer>();
  const records: string[] = [];
  const audited: string[] = [];
  const dispatcher = new CommandDispatcher({
    sessionId: "s",
    policy: new Policy({ readOnly: false }),
    apps,
    record: (type) => records.push(type),
    audit: ({ what, outcome }) => audited.push(`${what} ${outcome}`),
  });
  const run = (input: object, client = "a"): Promise<Answer["message"][]> => {
    const command = { sessionId: "s", timestamp: 1, origin: "agent", ...input } as Command;
    const answers: Answer["message"][] = [];
    const envelope = { command, text: JSON.stringify(command) };
    return dispatcher.run(envelope, client, ({ message }) => answers.push(message)).then(() => answers);
  };
  const join = (options: AppOptions = {}): { app: AppPeer; sent: Record<string, unknown>[] } => {
    const sent: Record<string, unknown>[] = [];
    const send = (data: string | Buffer): void => void sent.push(JSON.parse(String(data)));
    const app = new AppPeer({ send, close: () => {}, buffered: 0 }, undefined, options);
    apps.add(app);
    return { app, sent };
  };
  return { dispatcher, run, join, apps, records, audited };
}

const click = { type: "click", target: { ref: "e1" }, requestId: "r1" };

describe("the dispatcher", () => {
  test("answers a command that no app can run", async () => {
    const { run, records, audited } = stage();
    expect(await run(click)).toMatchObject([{ error: "app_not_connected", requestId: "r1" }]);
    expect(records).toEqual(["command", "command_result"]);
    expect(audited).toEqual(["click app_not_connected"]);
  });

  test("sends a page nothing before its hello, unless that does not come", async () => {
    const { dispatcher, run, join } = stage();
    const { app, sent } = join({ greets: true });
    const done = run(click);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
    app.identify(undefined);
    dispatcher.gap.onPageArrived();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    app.onLost("the test is over");
    expect(await done).toMatchObject([{ error: "outcome_unknown" }]);
    const silent = stage();
    const page = silent.join({ greets: true });
    void silent.run(click);
    await vi.waitFor(() => expect(page.sent).toHaveLength(1), 5_000);
  });

  test("waits for the next page when one was just left", async () => {
    const { dispatcher, run, join } = stage();
    dispatcher.gap.onPageLeft();
    const answered = run(click);
    const { app, sent } = join();
    dispatcher.gap.onPageArrived();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toMatchObject([{ type: "click" }]);
    const reply = { type: "command_result", requestType: "click", requestId: "r1", success: true } as const;
    app.settle({ message: { ...reply, sessionId: "s", timestamp: 1, origin: "app" }, text: "" });
    expect(await answered).toMatchObject([{ success: true }]);
  });

  test("asks the next page what the last one was asked to show when it was left; an act may have been done", async () => {
    for (const command of [{ type: "observe", requestId: "r1" }, click]) {
      const { dispatcher, run, join, apps } = stage();
      const first = join();
      const answered = run(command);
      await vi.waitFor(() => expect(first.sent).toHaveLength(1));
      // As when a page is left: its connection goes first.
      apps.delete(first.app);
      first.app.onLost("left");
      dispatcher.gap.onPageLeft();
      await new Promise((resolve) => setImmediate(resolve));
      const second = join();
      dispatcher.gap.onPageArrived();
      if (command === click) {
        expect(await answered).toMatchObject([{ error: "outcome_unknown" }]);
        expect(second.sent).toEqual([]);
        continue;
      }
      await vi.waitFor(() => expect(second.sent).toHaveLength(1));
      const reply = {
        type: "command_result",
        requestType: "observe",
        requestId: "r1",
        success: true,
      } as const;
      second.app.settle({ message: { ...reply, sessionId: "s", timestamp: 1, origin: "app" }, text: "" });
      expect(await answered).toMatchObject([{ success: true }]);
    }
  });

  test("gives the lease to one client at a time, and audits who has it", async () => {
    const { run, audited } = stage();
    expect(await run({ type: "acquire_lease", owner: "Ann" }, "a")).toMatchObject([{ success: true }]);
    expect(await run({ type: "acquire_lease" }, "b")).toMatchObject([{ error: "lease_held" }]);
    expect(await run(click, "b")).toMatchObject([{ error: "lease_held" }]);
    await run({ type: "release_lease" }, "a");
    expect(await run(click, "b")).toMatchObject([{ error: "app_not_connected" }]);
    expect(audited).toEqual([
      "acquire_lease done",
      "acquire_lease lease_held",
      "click lease_held",
      "release_lease done",
      "click app_not_connected",
    ]);
  });

  test("lets a client cancel only its own commands", async () => {
    const { run, join } = stage();
    const { app, sent } = join();
    const clicked = run(click, "a");
    expect(await run({ type: "cancel", requestId: "r1" }, "b")).toMatchObject([
      { value: { cancelled: false } },
    ]);
    expect(await run({ type: "cancel", requestId: "r1" }, "a")).toMatchObject([
      { value: { cancelled: true } },
    ]);
    expect(sent.map(({ type }) => type)).toEqual(["click", "cancel"]);
    app.onLost("closed");
    expect(await clicked).toMatchObject([{ error: "outcome_unknown" }]);
  });

  test("takes no more commands than fit into memory until others are answered, but always a cancel", async () => {
    const { run, join, apps, records, audited } = stage();
    const { app, sent } = join();
    const waiting = Array.from({ length: 5_000 }, (_, i) => run({ ...click, requestId: `r${i}` }));
    const fits = sent.length;
    expect(fits).toBeGreaterThan(3_000);
    expect(fits).toBeLessThan(4_000);
    expect(await waiting[fits]).toMatchObject([{ error: "rate_limit", requestId: `r${fits}` }]);
    expect(records.filter((type) => type === "command")).toHaveLength(5_000);
    expect(audited).toHaveLength(5_000 - fits);
    expect(await run({ type: "cancel", requestId: "r1" })).toMatchObject([{ value: { cancelled: true } }]);
    app.onLost("closed");
    await Promise.all(waiting);
    apps.delete(app);
    const next = join();
    const again = run(click);
    expect(next.sent).toMatchObject([{ type: "click" }]);
    next.app.onLost("closed");
    await again;
  });

  test("the hub's own commands leave no trace", async () => {
    const { run, records, audited } = stage();
    await run({ type: "request_ui_tree" }, HUB);
    expect([records, audited]).toEqual([[], []]);
  });
});
