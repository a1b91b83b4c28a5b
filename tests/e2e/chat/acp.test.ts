import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, temporaryFolder, until } from "../../fixtures.js";
import { type ChatHub, payloads, startChatHub, textOf } from "../../support/chat/chat.js";

const AGENT = join(ROOT, "tests/support/agents/acp-agent.mjs");

/** A hub with an agent of the protocol, which remembers its threads in a folder. */
async function acpHub(more: object = {}, env: object = {}): Promise<{ hub: ChatHub; threads: string }> {
  const [home, threads] = [temporaryFolder(), temporaryFolder()];
  const agent = { command: process.execPath, args: [AGENT], env: { ACP_HOME: threads, ...env }, ...more };
  writeFileSync(join(home, "acp-agents.json"), JSON.stringify({ tester: agent }));
  return { hub: await startChatHub(home), threads };
}

describe("a chat with an agent that speaks the Agent Client Protocol", () => {
  it("uses our tools, is refused what it may not do, and continues its own thread", async () => {
    const { hub, threads } = await acpHub();
    const chat = await hub.create({ provider: "acp:tester", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "one"));
    expect(textOf(events).trim()).toBe("I heard 1: one. I may not edit.");
    const steps = payloads(events, "run.step");
    expect(steps).toContainEqual(
      expect.objectContaining({
        title: "sessions",
        status: "done",
        detail: expect.stringContaining("[page"),
      }),
    );
    expect(steps).toContainEqual(
      expect.objectContaining({ kind: "notice", title: expect.stringContaining("acp-agents.json") }),
    );
    expect(await hub.json(`/v1/sessions/${chat.id}`)).toMatchObject({
      usage: { contextTokens: 321, contextWindow: 1_000 },
    });
    const more = await hub.ended(chat.id, await hub.say(chat.id, "two"));
    expect(textOf(more).trim()).toBe("I heard 2: one | two. I may not edit.");

    for (const name of readdirSync(threads)) rmSync(join(threads, name));
    const again = await hub.ended(chat.id, await hub.say(chat.id, "three"));
    expect(payloads(again, "run.step")).toContainEqual(
      expect.objectContaining({ title: expect.stringContaining("no longer knows this conversation") }),
    );
    expect(textOf(again)).toContain("I heard 1: This conversation started earlier.");
  });

  it("is debugged: held at a tool, and resumed", async () => {
    const { hub, threads } = await acpHub({ allow: ["edit"] });
    const chat = await hub.create({ provider: "acp:tester", cwd: temporaryFolder() });
    const first = await hub.ended(chat.id, await hub.say(chat.id, "one"));
    expect(textOf(first)).toContain("I edited.");
    // The agent waits before its first tool as long as this file exists.
    writeFileSync(join(threads, "hold"), "");
    const runId = await hub.say(chat.id, "two");
    const { detail: id = "" } = await until(async () =>
      payloads(await hub.events(chat.id), "run.step")
        .filter(({ kind }) => kind === "agent")
        .at(1),
    );
    await until(async () => (await hub.call(`/v1/sessions/${id}`)).ok);
    const control = (type: string): Promise<unknown> =>
      hub.json(`/v1/sessions/${id}/commands`, "POST", { type });
    await control("pause");
    rmSync(join(threads, "hold"));
    const events = async (): Promise<string[]> =>
      (await hub.json(`/v1/sessions/${id}/events`)).events.map(({ type }: { type: string }) => type);
    await until(async () => (await events()).includes("paused"));
    expect((await hub.json(`/v1/chats/${chat.id}`)).runId).toBe(runId);
    await control("resume");
    expect(textOf(await hub.ended(chat.id, runId))).toContain("I heard 2");
  });

  it("says how to sign in, what is not installed, and what is wrong in the file", async () => {
    const { hub } = await acpHub({}, { ACP_SIGNED_OUT: "1" });
    const chat = await hub.create({ provider: "acp:tester", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "one"));
    expect(payloads(events, "run.error")).toMatchObject([
      { code: "auth_required", message: expect.stringContaining("not signed in") },
    ]);
    const problem = async (other: ChatHub): Promise<string> =>
      (await other.json("/v1/chat-providers")).providers.at(-1).problem;
    expect(await problem((await acpHub({ command: "no-such-agent" })).hub)).toContain(
      "no-such-agent is not installed",
    );
    expect(await problem((await acpHub({ args: "x" })).hub)).toContain("tester.args");
  });
});
