import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../fixtures.js";
import { someOf } from "../support/machine/long-mode.js";

const EVENT = '{"type":"thought","data":{"text":"the-secret"}}\n';

/** A folder of agents that somebody else can write. */
class HostileRoot {
  readonly root = temporaryFolder();
  private readonly ids: string[] = [];

  constructor() {
    mkdirSync(debugPaths(this.root).sessions, { recursive: true });
  }

  folder(id: string): string {
    return join(debugPaths(this.root).sessions, id);
  }

  /** Adds an agent that runs, with whatever files. */
  add(id: string, prepare: (folder: string) => void = () => {}): string {
    mkdirSync(this.folder(id));
    this.describe(id, this.folder(id));
    prepare(this.folder(id));
    this.list(id);
    return this.folder(id);
  }

  describe(id: string, folder: string): void {
    const about = { id, pid: process.pid, startTime: new Date().toISOString(), cwd: "/", kind: "agent" };
    writeFileSync(join(folder, "session.json"), JSON.stringify(about));
  }

  list(id: string): void {
    this.ids.push(id);
    const sessions = this.ids.map((each) => ({ id: each, pid: process.pid, startTime: "", cwd: "/" }));
    writeFileSync(`${debugPaths(this.root).index}.new`, JSON.stringify({ sessions }));
    renameSync(`${debugPaths(this.root).index}.new`, debugPaths(this.root).index);
  }
}

interface RunningHub {
  /** Asks with the token; an answer that does not come in time is an error. */
  api(path: string, body?: object): Promise<{ status: number; text: string }>;
  /** Id of the session of a folder, once it is listed. */
  session(folder: string): Promise<string>;
}

async function hubOver(hostile: HostileRoot): Promise<RunningHub> {
  const { ready } = await startUp(["--agent-dir", hostile.root]);
  const authorization = `Bearer ${readFileSync(ready.tokenFile, "utf8").trim()}`;
  const api: RunningHub["api"] = async (path, body) => {
    const response = await fetch(`${ready.hub}${path}`, {
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      headers: { authorization },
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, text: await response.text() };
  };
  const session = (folder: string): Promise<string> =>
    until(async () => {
      const { sessions } = JSON.parse((await api("/v1/sessions")).text) as { sessions: { id: string }[] };
      return sessions.find(({ id }) => id.endsWith(folder))?.id;
    });
  return { api, session };
}

const hostileFiles: Record<string, (path: string, secret: string) => void> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to an endless device": (path) => symlinkSync("/dev/zero", path),
  "a link to a file of the person": (path, secret) => symlinkSync(secret, path),
  "a link to nothing": (path) => symlinkSync("/nowhere", path),
  "a folder": (path) => mkdirSync(path),
  "a file of a terabyte": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
  },
};

describe("V18: a hostile session folder", () => {
  it.each(someOf(Object.entries(hostileFiles), 2))(
    "whose events are %s neither stops the hub nor is read",
    async (_, make) => {
      const secret = join(temporaryFolder(), "secret");
      writeFileSync(secret, EVENT);
      const hostile = new HostileRoot();
      hostile.add("before", (folder) => make(join(folder, "events.jsonl"), secret));
      const hub = await hubOver(hostile);
      // The same again while the hub runs, beside an agent that means well.
      hostile.add("later", (folder) => make(join(folder, "events.jsonl"), secret));
      hostile.add("honest", (folder) => writeFileSync(join(folder, "events.jsonl"), '{"type":"fine"}\n'));
      const honest = await hub.session("honest");
      await until(async () => (await hub.api(`/v1/sessions/${honest}/events`)).text.includes('"fine"'));
      for (const name of ["before", "later"])
        expect((await hub.api(`/v1/sessions/${await hub.session(name)}/events`)).text).not.toContain(
          "secret",
        );
      expect((await hub.api("/healthz")).status).toBe(200);
    },
  );

  it.each(someOf(["a pipe", "a link to an endless device", "a folder"], 1))(
    "whose description is %s does not stop the hub",
    async (kind) => {
      const hostile = new HostileRoot();
      mkdirSync(hostile.folder("strange"));
      hostileFiles[kind]?.(join(hostile.folder("strange"), "session.json"), "");
      hostile.list("strange");
      const hub = await hubOver(hostile);
      hostile.add("honest");
      await hub.session("honest");
    },
  );

  it("gets no command written through a link", async () => {
    const victim = join(temporaryFolder(), "bashrc");
    writeFileSync(victim, "alias ls=ls\n");
    const hostile = new HostileRoot();
    hostile.add("linked", (folder) => symlinkSync(victim, join(folder, "commands.jsonl")));
    hostile.add("new", (folder) => symlinkSync(`${victim}.new`, join(folder, "commands.jsonl")));
    hostile.add("piped", (folder) => execFileSync("mkfifo", [join(folder, "commands.jsonl")]));
    const hub = await hubOver(hostile);
    for (const name of ["linked", "new", "piped"]) {
      const { text } = await hub.api(`/v1/sessions/${await hub.session(name)}/commands`, { type: "pause" });
      expect(JSON.parse(text)).not.toMatchObject({ success: true });
    }
    expect([readFileSync(victim, "utf8"), existsSync(`${victim}.new`)]).toEqual(["alias ls=ls\n", false]);
  });

  it("cannot become a link to another folder after it was listed", async () => {
    const other = temporaryFolder();
    for (const name of ["commands.jsonl", "events.jsonl"]) writeFileSync(join(other, name), "");
    const hostile = new HostileRoot();
    const folder = hostile.add("swapped", (path) => writeFileSync(join(path, "events.jsonl"), ""));
    const hub = await hubOver(hostile);
    const id = await hub.session("swapped");
    renameSync(folder, `${folder}.old`);
    symlinkSync(other, folder);
    appendFileSync(join(other, "events.jsonl"), EVENT);
    const { text } = await hub.api(`/v1/sessions/${id}/commands`, { type: "pause" });
    expect(JSON.parse(text)).not.toMatchObject({ success: true });
    expect(readFileSync(join(other, "commands.jsonl"), "utf8")).toBe("");
    expect((await hub.api(`/v1/sessions/${id}/events`)).text).not.toContain("secret");
    // Nor be one from the start.
    hostile.describe("linked", other);
    symlinkSync(other, hostile.folder("linked"));
    hostile.list("linked");
    hostile.add("honest");
    await hub.session("honest");
    expect((await hub.api(`/v1/sessions`)).text).not.toContain("linked");
  });

  const payloads: [name: string, payload: string][] = [
    ["not JSON", "no json"],
    ["nested too deeply", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["large and named a thousand times", JSON.stringify("x".repeat(2_000_000))],
  ];
  it.each(someOf(payloads, 1))("with a payload that is %s does not end the hub", async (_, payload) => {
    const hash = createHash("sha256").update(payload).digest("hex");
    const hostile = new HostileRoot();
    const folder = hostile.add("payload", (path) => {
      mkdirSync(join(path, "blobs"));
      writeFileSync(join(path, "blobs", hash), payload);
      writeFileSync(join(path, "events.jsonl"), "");
    });
    const hub = await hubOver(hostile);
    const id = await hub.session("payload");
    const answer = hub.api(`/v1/sessions/${id}/commands`, { type: "inspect" });
    const commands = join(folder, "commands.jsonl");
    const line = await until(() => existsSync(commands) && readFileSync(commands, "utf8").trim());
    const reference = { $blob: hash, bytes: 1 };
    const data = { commandId: (JSON.parse(line) as { id: string }).id, data: Array(1_000).fill(reference) };
    appendFileSync(join(folder, "events.jsonl"), `${JSON.stringify({ type: "command_response", data })}\n`);
    expect((await answer).text.length).toBeLessThan(100_000_000);
    expect((await hub.api("/healthz")).status).toBe(200);
  });
});

describe("V18: hostile files in the home", () => {
  it("do not stop prune", async () => {
    const home = temporaryFolder();
    const { hooks, sessions } = debugPaths(home);
    mkdirSync(hooks, { recursive: true });
    mkdirSync(sessions);
    execFileSync("mkfifo", [join(hooks, "0".repeat(32))]);
    symlinkSync("/dev/zero", join(hooks, "1".repeat(32)));
    expect(await runCli(["prune", "--home", home])).toMatchObject({ code: 0 });
  });

  it("do not stop commands for the current agent", async () => {
    const home = temporaryFolder();
    mkdirSync(debugPaths(home).sessions, { recursive: true });
    execFileSync("mkfifo", [debugPaths(home).current]);
    execFileSync("mkfifo", [debugPaths(home).index]);
    const { code, stderr } = await runCli(["agent", "inspect", "--home", home]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("no ")]);
  });
});
