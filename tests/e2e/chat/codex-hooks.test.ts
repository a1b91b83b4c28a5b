import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { cli } from "../../support/agents/agents.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { BIN, codexHome, payloads, startChatHub, textOf } from "../../support/chat/chat.js";

/** Trusts the hooks of a home of Codex, as the person does when Codex asks. */
async function trustHooks(home: string): Promise<void> {
  const server = spawn(join(BIN, "codex"), ["app-server"], { env: { ...process.env, CODEX_HOME: home } });
  const send = (message: object): unknown => server.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    id: 1,
    method: "initialize",
    params: { clientInfo: { name: "test", title: "test", version: "1" } },
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 1) {
      send({ method: "initialized" });
      send({ id: 2, method: "hooks/list", params: { cwds: [home] } });
    }
    if (id !== 2) continue;
    for (const { key, currentHash } of result.data[0].hooks)
      appendFileSync(
        join(home, "config.toml"),
        `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
      );
    break;
  }
  server.kill();
}

describe("a chat with Codex whose hooks the person trusts", () => {
  it("is debugged while it runs: paused at a tool, its command changed, and resumed", async () => {
    let begin = (): void => {};
    const canBegin = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const model = await startModelServer(
      [{ tool: "exec_command", input: { cmd: "echo wrong" } }, { text: "Done." }],
      () => canBegin,
    );
    const [home, codex] = [temporaryFolder(), codexHome(model.url)];
    expect((await cli(home, "hook", "install", "codex", "--file", join(codex, "hooks.json"))).code).toBe(0);
    await trustHooks(codex);
    const hub = await startChatHub(home, { env: { CODEX_HOME: codex } });
    const chat = await hub.create({ provider: "codex", cwd: temporaryFolder() });
    const runId = await hub.say(chat.id, "Say something");
    const { detail: id = "" } = await until(async () =>
      payloads(await hub.events(chat.id), "run.step").find(({ kind }) => kind === "agent"),
    );
    await until(async () => (await hub.call(`/v1/sessions/${id}`)).ok);
    const control = (type: string, data: object = {}): Promise<unknown> =>
      hub.json(`/v1/sessions/${id}/commands`, "POST", { type, data });
    await control("breakpoint", { action: "add", on: "tool", name: "Bash" });
    begin();
    const types = async (): Promise<string[]> =>
      (await hub.json(`/v1/sessions/${id}/events`)).events.map(({ type }: { type: string }) => type);
    await until(async () => (await types()).includes("breakpoint_hit"));
    expect((await hub.json(`/v1/chats/${chat.id}`)).runId).toBe(runId);
    expect((await cli(home, "agent", "set", "input.command", "echo right", "-s", id)).code).toBe(0);
    await control("resume");
    const events = await hub.ended(chat.id, runId);
    expect(textOf(events)).toBe("Done.");
    const commands = payloads(events, "run.step").filter(({ kind }) => kind === "command");
    expect(commands.at(-1)?.title).toContain("echo right");
    expect(payloads(events, "run.step").some(({ title }) => title.includes("cannot be paused"))).toBe(false);
  });
});
