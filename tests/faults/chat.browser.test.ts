import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { streamChatEvents } from "@debug-bridge/client";
import type { RunEvent } from "@debug-bridge/protocol";
import { check, runEventSchema } from "@debug-bridge/protocol/schemas";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { beside, openBeside, relayOf } from "../e2e/chat-panel/beside.js";
import { temporaryFolder, until } from "../fixtures.js";
import { codexStandIn } from "../support/agents/codex-stand-in.js";
import { type ChatHub, payloads, startChatHub } from "../support/chat/chat.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";

const KILLS = rounds(3, 18);
/** A run of the stand-in takes about half a second, and its click in the tab as long as the machine needs. */
const MAX_DELAY_MS = 1_000;
const VICTIMS = ["hub", "agent", "browser"] as const;
const VICTIM_NAMES = { hub: "the hub killed", agent: "the agent killed", browser: "Chrome killed" };

describe("a chat whose hub, agent or browser is killed at random moments", () => {
  it(`is whole up to the last event ${KILLS} times, repeats nothing, is shown so, and can be continued [REL-053]`, async () => {
    const random = randomNumbers();
    const home = temporaryFolder();
    const codex = codexStandIn();
    const options = { path: codex.folder, env: { CODEX_HOME: codex.home } };
    let hub: ChatHub = await startChatHub(home, options);
    const args = ["--relay-port", new URL(relayOf(hub)).port];
    const { person, site, ...opened } = await beside(hub);
    let { panel } = opened;
    const approvals = [{ origin: new URL(site.url("/")).origin, at: new Date().toISOString() }];
    writeFileSync(join(home, "chat-approvals.json"), JSON.stringify({ approvals }));
    const chat = await hub.create({ provider: "codex", cwd: temporaryFolder() });
    await select(panel, chat.id);
    const log = new FaultLog("chat", "events that a reader was shown");
    let threads = 0;
    let clicks = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = VICTIMS[kill % VICTIMS.length] as (typeof VICTIMS)[number];
      const before = await hub.events(chat.id);
      const thread = payloads(before, "run.provider_session").at(-1)?.sessionId;
      const reader = new AbortController();
      const shown = follow(hub, chat.id, before.length, reader.signal);
      const session = await tabOf(hub, site.url("/"));
      const runId = await hub.say(chat.id, `message ${kill}`, { session });
      await new Promise((resolve) => setTimeout(resolve, random() * MAX_DELAY_MS));
      log.count(VICTIM_NAMES[victim]);
      await log.recover(async () => {
        if (victim === "hub") {
          hub.child.kill("SIGKILL");
          await hub.finished;
          hub = await startChatHub(home, { ...options, args });
        } else if (victim === "agent") killAgent(home, chat.id);
        else await person.kill();
        await hub.ended(chat.id, runId);
      });
      const events = await hub.ended(chat.id, runId);

      const all = await hub.events(chat.id);
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
      expect(all.slice(0, before.length)).toEqual(before);
      for (const event of all) expect(check(runEventSchema, event).ok).toBe(true);
      // Whatever a reader was shown before the kill is in the transcript, in the same place.
      expect(all.slice(before.length, before.length + shown.length)).toEqual(shown);
      log.acknowledge(shown.length);
      expect(payloads(events, "run.started")).toMatchObject([{ message: `message ${kill}` }]);
      expect(payloads(events, "run.started")[0]?.resumeSessionId).toBe(thread);
      expect(payloads(events, "run.finished").length + payloads(events, "run.stopped").length).toBe(1);
      // A run does not need the browser.
      if (victim === "browser") expect(payloads(events, "run.finished")).toEqual([{ outcome: "done" }]);
      reader.abort();
      await until(() => !existsSync(join(home, "chats", chat.id, "run.json")));
      expect(agentsOf(codex.home)).toEqual([]);
      threads = new Set(payloads(all, "run.provider_session").map(({ sessionId }) => sessionId)).size;
      clicks += payloads(events, "run.step").filter(({ title }) => title === "clicked true").length;
      if (victim === "browser") {
        await person.restart(site.url("/"));
        ({ panel } = await openBeside(hub, person, site));
        await select(panel, chat.id);
      }
      await showsOnce(panel, `message ${kill}`);
    }
    const session = await tabOf(hub, site.url("/"));
    const last = await hub.ended(chat.id, await hub.say(chat.id, "the last one", { session }));
    expect(payloads(last, "run.finished")).toEqual([{ outcome: "done" }]);
    expect(payloads(last, "run.delta").length).toBeGreaterThan(0);
    // The tab can still be used, whatever was killed.
    expect(payloads(last, "run.step")).toContainEqual(expect.objectContaining({ title: "clicked true" }));
    await showsOnce(panel, "the last one");
    await panel
      .getByText(/part 39$/)
      .last()
      .waitFor();
    // The thread that was named first is continued in every run.
    expect(threads).toBe(1);
    expect((await hub.json(`/v1/chats/${chat.id}`)).providerState.codex.sessionId).toBe(
      payloads(await hub.events(chat.id), "run.provider_session").at(-1)?.sessionId,
    );
    if (KILLS >= 15) expect(clicks).toBeGreaterThan(0);
    log.finish();
  }, 3_600_000);
});

/** Shows a chat in the panel, as its list does. */
async function select(panel: Page, chatId: string): Promise<void> {
  await panel.evaluate((id) => {
    location.hash = `chat=${id}`;
  }, chatId);
}

/** Waits until the panel shows a message, and that nobody works on it; it must be there once. */
async function showsOnce(panel: Page, message: string): Promise<void> {
  const found = panel.locator(".turns").getByText(message, { exact: true });
  await found.first().waitFor();
  await panel.getByRole("button", { name: "Send" }).waitFor();
  expect(await found.count()).toBe(1);
}

/** The session of the tab, once the extension has found the hub. */
function tabOf(hub: ChatHub, url: string): Promise<string> {
  return until(async () => {
    const { sessions } = await hub.json("/v1/sessions");
    const found = sessions.find(
      (each: { url?: string; connected: boolean }) => each.connected && each.url === url,
    );
    return found?.id as string | undefined;
  });
}

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
