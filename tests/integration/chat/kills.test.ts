import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { streamChatEvents } from "@debug-bridge/client";
import type { RunEvent } from "@debug-bridge/protocol";
import { check, runEventSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { type ChatHub, payloads, startChatHub } from "../../support/chat.js";
import { codexStandIn } from "../../support/codex-stand-in.js";

/** `CHAT_KILLS=100` runs it for long. */
const KILLS = Number(process.env.CHAT_KILLS ?? 8);
/** A run of the stand-in takes about half a second. */
const MAX_DELAY_MS = 700;

describe("a chat whose hub or agent is killed at random moments", () => {
  it(`is whole up to the last event ${KILLS} times, repeats nothing, and can be continued [REL-053]`, async () => {
    const home = temporaryFolder();
    const codex = codexStandIn();
    const options = { path: codex.folder, env: { CODEX_HOME: codex.home } };
    let hub: ChatHub = await startChatHub(home, options);
    const chat = await hub.create({ provider: "codex", cwd: temporaryFolder() });
    let threads = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await hub.events(chat.id);
      const thread = payloads(before, "run.provider_session").at(-1)?.sessionId;
      const reader = new AbortController();
      const shown = follow(hub, chat.id, before.length, reader.signal);
      const runId = await hub.say(chat.id, `message ${kill}`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_DELAY_MS));
      if (kill % 2 === 0) {
        hub.child.kill("SIGKILL");
        await hub.finished;
        hub = await startChatHub(home, options);
      } else killAgent(home, chat.id);
      const events = await hub.ended(chat.id, runId);

      const all = await hub.events(chat.id);
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
      expect(all.slice(0, before.length)).toEqual(before);
      for (const event of all) expect(check(runEventSchema, event).ok).toBe(true);
      // Whatever a reader was shown before the kill is in the transcript, in the same place.
      expect(all.slice(before.length, before.length + shown.length)).toEqual(shown);
      expect(payloads(events, "run.started")).toMatchObject([{ message: `message ${kill}` }]);
      expect(payloads(events, "run.started")[0]?.resumeSessionId).toBe(thread);
      expect(payloads(events, "run.finished").length + payloads(events, "run.stopped").length).toBe(1);
      reader.abort();
      await until(() => !existsSync(join(home, "chats", chat.id, "run.json")));
      expect(agentsOf(codex.home)).toEqual([]);
      threads = new Set(payloads(all, "run.provider_session").map(({ sessionId }) => sessionId)).size;
    }
    const last = await hub.ended(chat.id, await hub.say(chat.id, "the last one"));
    expect(payloads(last, "run.finished")).toEqual([{ outcome: "done" }]);
    expect(payloads(last, "run.delta").length).toBeGreaterThan(0);
    // A thread that was named is continued: a new one only starts when a run was killed before it had one.
    expect(threads).toBeLessThanOrEqual(1 + KILLS / 2);
    expect((await hub.json(`/v1/chats/${chat.id}`)).providerState.codex.sessionId).toBe(
      payloads(await hub.events(chat.id), "run.provider_session").at(-1)?.sessionId,
    );
  }, 1_200_000);
});

describe("two hubs of one home", () => {
  it("run different chats, and one marks what the other left as interrupted when it is read", async () => {
    const home = temporaryFolder();
    const codex = codexStandIn();
    const options = { path: codex.folder, env: { CODEX_HOME: codex.home } };
    const [first, second] = [await startChatHub(home, options), await startChatHub(home, options)];
    const [one, two] = [
      await first.create({ provider: "codex" }),
      await second.create({ provider: "codex" }),
    ];
    // On a busy machine the run would be over before its hub is killed.
    const hold = join(codex.home, "hold");
    writeFileSync(hold, "");
    const run = await first.say(one.id, "from the first");
    const elsewhere = { method: "POST", body: '{"message":"from the second"}' };
    expect((await second.call(`/v1/chats/${one.id}/runs`, elsewhere)).status).toBe(409);
    expect((await second.call(`/v1/runs/${run}/stop`, { method: "POST" })).status).toBe(409);
    const other = await second.say(two.id, "from the second");
    await until(async () => (await second.events(one.id)).length > 5);
    first.child.kill("SIGKILL");
    await first.finished;
    rmSync(hold);
    expect((await second.ended(one.id, run)).at(-1)).toMatchObject({
      event: "run.stopped",
      payload: { reason: "interrupted" },
    });
    expect(payloads(await second.ended(two.id, other), "run.finished")).toEqual([{ outcome: "done" }]);
    const again = await second.ended(one.id, await second.say(one.id, "once more"));
    expect(payloads(again, "run.finished")).toEqual([{ outcome: "done" }]);
  });
});

/** What a reader of `/events` is shown until its hub is gone. */
function follow(hub: ChatHub, chatId: string, since: number, signal: AbortSignal): RunEvent[] {
  const shown: RunEvent[] = [];
  void (async () => {
    const found = { url: hub.url, token: hub.token };
    for await (const event of streamChatEvents(found as never, chatId, { since, signal })) shown.push(event);
  })().catch(() => {});
  return shown;
}

/** Kills the agent of a run, if it has started. */
function killAgent(home: string, chatId: string): void {
  try {
    const { provider } = JSON.parse(readFileSync(join(home, "chats", chatId, "run.json"), "utf8"));
    if (provider) process.kill(provider.pid, "SIGKILL");
  } catch {
    // The run has ended.
  }
}

/** Processes that still run as this stand-in. */
function agentsOf(codexHome: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(`CODEX_HOME=${codexHome}`) &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0exec\0")
      );
    } catch {
      return false;
    }
  });
}
