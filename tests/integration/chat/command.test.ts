import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, type Finished, runCli, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { codexStandIn } from "../../support/agents/codex-stand-in.js";
import { startChatHub } from "../../support/chat/chat.js";

/** A program that speaks as `codex exec --json` and answers with one text. */
function answering(text: string): string {
  const folder = temporaryFolder();
  const lines = [
    { type: "thread.started", thread_id: "thread-1" },
    {
      type: "item.completed",
      item: { id: "c", type: "command_execution", command: text, status: "completed" },
    },
    { type: "item.completed", item: { id: "m", type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 2 } },
  ];
  const output = lines.map((line) => `process.stdout.write(${JSON.stringify(`${JSON.stringify(line)}\n`)});`);
  writeFileSync(
    join(folder, "codex"),
    `#!${process.execPath}\nprocess.stdin.resume();\n${output.join("\n")}\n`,
  );
  chmodSync(join(folder, "codex"), 0o755);
  return folder;
}

const environment = (home: string, folder: string): Record<string, string> => ({
  DEBUG_BRIDGE_HOME: home,
  PATH: `${folder}${delimiter}${process.env.PATH}`,
});

function chat(home: string, folder: string, ...args: string[]): Promise<Finished> {
  return runCli(["chat", ...args], environment(home, folder));
}

function startChat(home: string, folder: string, ...args: string[]): Started {
  return start(process.execPath, [CLI, "chat", ...args], environment(home, folder));
}

describe("debug-bridge chat", () => {
  it("answers on standard output, with a temporary hub when none runs, and can go on", async () => {
    const [home, folder] = [temporaryFolder(), answering("It works.")];
    const first = await chat(home, folder, "--provider", "codex", "Does it work?");
    expect([first.code, first.stdout]).toEqual([0, "It works.\n"]);
    const [, id = ""] = /chat (\w{26}) with codex/.exec(first.stderr) ?? [];
    const second = await chat(home, folder, "--json", "--chat", id.slice(-6), "And now?");
    const events = second.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event }) => event)).toEqual([
      "run.started",
      "run.provider_session",
      "run.step",
      "run.delta",
      "run.usage",
      "run.finished",
    ]);
    expect(events[0].payload).toMatchObject({ message: "And now?", resumeSessionId: "thread-1" });
    const list = JSON.parse((await chat(home, folder, "list", "--json")).stdout);
    expect(list.chats).toMatchObject([{ id, title: "Does it work?", provider: "codex" }]);
    expect((await chat(home, folder, "list")).stdout).toContain(`${id}  `);
    const shown = (await chat(home, folder, "show", id)).stdout;
    expect(shown).toContain("> Does it work?\n");
    expect(shown.match(/It works\./g)).toHaveLength(4);
    expect((await chat(home, folder, "show", id, "--json")).stdout.trim().split("\n")).toHaveLength(13);
    const exported = (await chat(home, folder, "export", id)).stdout;
    expect(exported).toContain("# Does it work?");
    expect(exported).toContain("> And now?");
  });

  it("shows hostile text as text: no terminal codes, no marks that change the direction", async () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b31mred\u202eevil\u2066x\rover";
    const [home, folder] = [temporaryFolder(), answering(hostile)];
    const outputs = [await chat(home, folder, "--provider", "codex", `say ${hostile}`)];
    for (const args of [["list"], ["list", "--json"]]) outputs.push(await chat(home, folder, ...args));
    const [{ id }] = JSON.parse(outputs[2]?.stdout ?? "").chats;
    for (const args of [
      ["show", id],
      ["show", id, "--json"],
      ["export", id],
    ])
      outputs.push(await chat(home, folder, ...args));
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
      expect(stdout + stderr).toContain("red");
    }
  });

  it("uses the hub that runs, stops with Ctrl+C, and keeps what was said", async () => {
    const home = temporaryFolder();
    const codex = codexStandIn();
    // It would be done before it is stopped on a slow machine.
    writeFileSync(join(codex.home, "hold"), "");
    const hub = await startChatHub(home, { path: codex.folder, env: { CODEX_HOME: codex.home } });
    const running = startChat(home, codex.folder, "--provider", "codex", "count");
    await until(() => running.output.stdout.includes("part 3"));
    running.child.kill("SIGINT");
    const { code, stderr } = await running.finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining("stopped")]);
    const [{ id }] = (await hub.json("/v1/chats")).chats;
    const events = await hub.events(id);
    expect(events.at(-1)).toMatchObject({ event: "run.stopped", payload: { reason: "person" } });
    expect(running.output.stdout.trim().endsWith("part 39")).toBe(false);
  });

  it("says what is wrong and what to do", async () => {
    const [home, folder] = [temporaryFolder(), answering("x")];
    const failed = async (...args: string[]): Promise<[number | null, string]> => {
      const { code, stderr } = await chat(home, folder, ...args);
      return [code, stderr];
    };
    expect(await failed("--provider", "nobody", "hi")).toEqual([
      1,
      expect.stringContaining("use one of: codex"),
    ]);
    expect(await failed("show", "7ZK3")).toEqual([1, expect.stringContaining("debug-bridge chat list")]);
    expect(await failed("--continue", "hi")).toEqual([1, expect.stringContaining("there is no chat yet")]);
    expect(await failed("--continue", "--chat", "x", "hi")).toEqual([
      2,
      expect.stringContaining("use one of them"),
    ]);
    expect(await failed(" ")).toEqual([2, expect.stringContaining("nothing to say")]);
  });
});
