import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STEADY = "steady";

/** The files of agents below a root: one agent that always works, and folders for others. */
export class AgentFiles {
  readonly index: string;
  private readonly sessions: string;
  private readonly announced = new Set<string>([STEADY]);
  private next = 1;

  constructor(root: string) {
    this.index = join(root, "debug/index.json");
    this.sessions = join(root, "debug/sessions");
    mkdirSync(join(this.sessions, STEADY), { recursive: true });
    writeFileSync(join(this.sessions, STEADY, "session.json"), JSON.stringify(entry(STEADY)));
    this.restoreIndex();
  }

  /** A new folder, with a valid `session.json` that the index does not list yet. */
  create(): { id: string; folder: string } {
    const id = `fuzzed-${this.next++}`;
    const folder = join(this.sessions, id);
    mkdirSync(folder);
    writeFileSync(join(folder, "session.json"), JSON.stringify(entry(id)));
    return { id, folder };
  }

  /** Lists a session in the index. */
  announce(id: string): void {
    this.announced.add(id);
    this.restoreIndex();
  }

  writeIndex(text: string, isTorn: boolean): void {
    if (isTorn) {
      writeFileSync(this.index, text.slice(0, text.length / 2));
      appendFileSync(this.index, text.slice(text.length / 2));
      return;
    }
    writeFileSync(`${this.index}.new`, text);
    renameSync(`${this.index}.new`, this.index);
  }

  restoreIndex(): void {
    rmSync(this.index, { recursive: true, force: true });
    this.writeIndex(JSON.stringify({ sessions: [...this.announced].map(entry) }), false);
  }

  /** Appends an event of the healthy agent and returns its name. */
  appendSteady(): string {
    const name = `steady-${this.next++}`;
    appendFileSync(
      join(this.sessions, STEADY, "events.jsonl"),
      `${JSON.stringify({ type: "tick", data: { name } })}\n`,
    );
    return name;
  }

  /** Id of the newest command that was written for an agent. */
  lastCommandId(folder: string): string | undefined {
    try {
      const lines = readFileSync(join(folder, "commands.jsonl"), "utf8").trim().split("\n");
      return (JSON.parse(lines.at(-1) ?? "") as { id?: string }).id;
    } catch {
      return undefined;
    }
  }

  remove(folder: string): void {
    this.announced.clear();
    this.announced.add(STEADY);
    this.restoreIndex();
    rmSync(folder, { recursive: true, force: true });
  }
}

const entry = (id: string): object => ({
  id,
  pid: process.pid,
  startTime: "2026-01-01T00:00:00.000Z",
  cwd: "/",
});
