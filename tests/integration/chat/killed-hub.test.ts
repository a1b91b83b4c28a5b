import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { codexStandIn } from "../../support/agents/codex-stand-in.js";
import { payloads, startChatHub } from "../../support/chat/chat.js";
import { quietTime } from "../../support/chrome/quiet-time.js";

/** A `codex` that starts two more programs, one of them in a separate session, and leaves them behind. */
function withChildren(folder: string): string {
  const own = temporaryFolder();
  const script = `#!/bin/sh
sleep 987 &
setsid sleep 987 &
exec "${join(folder, "codex")}" "$@"
`;
  writeFileSync(join(own, "codex"), script);
  chmodSync(join(own, "codex"), 0o755);
  return own;
}

interface Running {
  readonly pid: number;
  readonly line: string;
}

/** The processes that were started for this home of Codex. */
function processesOf(codexHome: string): Running[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`CODEX_HOME=${codexHome}\0`)) return [];
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(pid), line }];
    } catch {
      return [];
    }
  });
}

describe("a hub that is killed in the middle of a run", () => {
  it.runIf(process.platform === "linux").each([
    ["", false],
    [", even if the agent ended first", true],
  ])(
    "takes along the agent and all that it started within 5 s%s; another hub marks the run, and continues the thread",
    async (_, agentFirst) => {
      const home = temporaryFolder();
      const codex = codexStandIn();
      const options = { path: withChildren(codex.folder), env: { CODEX_HOME: codex.home } };
      const hub = await startChatHub(home, options);
      const chat = await hub.create({ provider: "codex", cwd: temporaryFolder() });
      const hold = join(codex.home, "hold");
      writeFileSync(hold, "");
      const runId = await hub.say(chat.id, "begin");
      await until(async () => (await hub.events(chat.id)).length > 5);
      const running = processesOf(codex.home).filter(({ line }) => !line.includes(" up "));
      expect(running.filter(({ line }) => line === "sleep 987")).toHaveLength(2);
      const agents = running.filter(({ line }) => line.includes("exec --json"));
      expect(agents).not.toEqual([]);
      if (agentFirst) for (const { pid } of agents) process.kill(pid, "SIGKILL");
      hub.child.kill("SIGKILL");
      await hub.finished;
      await until(() => processesOf(codex.home).length === 0, quietTime(5_000));

      rmSync(hold);
      const next = await startChatHub(home, options);
      const first = await next.ended(chat.id, runId);
      expect(payloads(first, "run.stopped")).toEqual([{ reason: "interrupted" }]);
      const again = await next.ended(chat.id, await next.say(chat.id, "go on"));
      expect(payloads(again, "run.finished")).toEqual([{ outcome: "done" }]);
      const [{ sessionId: thread } = { sessionId: "" }] = payloads(first, "run.provider_session");
      expect(payloads(again, "run.started")[0]?.resumeSessionId).toBe(thread);
      expect(payloads(again, "run.provider_session").at(-1)?.sessionId).toBe(thread);
    },
  );

  it("does not end what has ended by itself, and leaves none of its processes when it closes", async () => {
    const codex = codexStandIn();
    const hub = await startChatHub(temporaryFolder(), {
      path: codex.folder,
      env: { CODEX_HOME: codex.home },
    });
    const chat = await hub.create({ provider: "codex", cwd: temporaryFolder() });
    await hub.ended(chat.id, await hub.say(chat.id, "once"));
    const children = (): string[] => guardsOf(hub.child.pid ?? 0);
    const [guard] = children();
    expect(guard).toBeDefined();
    hub.child.kill("SIGTERM");
    await hub.finished;
    await until(() => !readdirSync("/proc").includes(guard ?? ""), quietTime(5_000));
  });
});

/** The processes that wait for the end of a hub. */
function guardsOf(hub: number): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
      return Number(parent) === hub && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("guard-program");
    } catch {
      return false;
    }
  });
}
