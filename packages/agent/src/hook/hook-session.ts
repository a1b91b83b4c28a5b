import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  AgentFolder,
  AppendFile,
  BlobStore,
  debugPaths,
  isAlive,
  lastLines,
  readLines,
  readSession,
  refreshIndex,
  replaceFile,
} from "@debug-bridge/journal";
import { EventWriter } from "../session/event-writer.js";
import { type SavedStops, Stops } from "../pausing/pause-state.js";
import type { HookInput } from "./hook-input.js";
import { HookTarget, type SavedTarget } from "./hook-target.js";
import { withLock } from "./lock.js";
import { hookOwner } from "./owner.js";

/** What is kept between hooks: each is a process of its own. */
interface Saved {
  readonly sequence: number;
  /** How long the events were then. They are longer where a hook was ended before it could write this. */
  readonly eventsBytes?: number;
  /** Offset up to which commands were taken. */
  readonly offset: number;
  readonly stops?: SavedStops;
  readonly target?: SavedTarget;
}

/** The session while this process has it for itself. */
export interface OpenSession {
  readonly stops: Stops;
  readonly target: HookTarget;
  emit(type: string, data: Record<string, unknown>): void;
}

/**
 * The session of an agent that is debugged through its hooks. Hooks of one agent run at the same time and each in its
 * own process; what they share is in a file, and one at a time changes it.
 */
export class HookSession {
  private constructor(
    private readonly root: string,
    readonly folder: string,
    private readonly lock: string,
    private readonly input: HookInput,
  ) {}

  /** Finds the session of an agent, or opens it at the agent's first hook. */
  static open(root: string, input: HookInput): HookSession {
    const { hooks } = debugPaths(root);
    mkdirSync(hooks, { recursive: true, mode: 0o700 });
    // The agent's id is its own; only its hash is used as a file name.
    const name = join(hooks, createHash("sha256").update(input.session_id).digest("hex").slice(0, 32));
    const lock = `${name}.lock`;
    const id = readId(name) ?? withLock(lock, () => readId(name) ?? createSession(root, name, input));
    const session = new HookSession(root, join(debugPaths(root).sessions, id), lock, input);
    if (!existsSync(session.folder)) {
      const next = withLock(lock, () => createSession(root, name, input));
      return new HookSession(root, join(debugPaths(root).sessions, next), lock, input);
    }
    session.adopt();
    return session;
  }

  get commandsFile(): string {
    return join(this.folder, "commands.jsonl");
  }

  /** Takes the commands that came, then does something with the session; what changed is kept. */
  async exclusively<Result>(action: (session: OpenSession) => Result): Promise<Result> {
    // The validators are loaded only when there is a command to check: an agent waits for this process to start.
    const takeCommandLine = this.hasCommands()
      ? (await import("../commands/run-command-line.js")).takeCommandLine
      : undefined;
    return withLock(this.lock, () => {
      const saved = this.read();
      const events = new AppendFile(this.eventsFile);
      try {
        const sink = { id: basename(this.folder), events, blobs: new BlobStore(this.folder) };
        const writer = new EventWriter(sink, this.lastSequence(saved));
        const emit = (type: string, data: Record<string, unknown>): void => {
          writer.emit(type, data);
          stops.noticeOwn(type, sink.id, data);
        };
        const stops: Stops = new Stops(emit);
        if (saved.stops) stops.restore(saved.stops);
        const { model, transcript_path: transcript } = this.input;
        const target = new HookTarget(
          { root: this.root, sessionId: sink.id, model, transcript },
          stops,
          saved.target,
        );
        let { offset } = saved;
        if (takeCommandLine) {
          for (const line of readLines(this.commandsFile, offset)) {
            takeCommandLine(line, target, emit);
            offset = line.end;
          }
        }
        const result = action({ stops, target, emit });
        const { sequence } = writer;
        const eventsBytes = statSync(this.eventsFile).size;
        const next = { sequence, eventsBytes, offset, stops: stops.save(), target: target.save() };
        // Hooks that wait look at each change of the file: who changes nothing must not wake them, itself included.
        if (JSON.stringify(next) !== JSON.stringify(saved)) this.write(next);
        return result;
      } finally {
        events.close();
      }
    });
  }

  /** Stops the agent at what happened in other sessions since the last hook, where a breakpoint waits for it. */
  async noticeHubEvents(): Promise<void> {
    const { types, since } = await this.exclusively(({ stops, target }) => ({
      types: stops.breakpoints.eventTypes,
      since: target.eventsSince,
    }));
    // The client for the hub is loaded only when there is something to ask it for.
    const { readHubEvents } = await import("../hub/hub-events.js");
    const now = Date.now();
    const events = await readHubEvents(this.root, types, since);
    await this.exclusively(({ stops, target }) => {
      target.eventsSince = Math.max(target.eventsSince, now);
      const { iteration } = stops;
      for (const { type, session, data } of events)
        if (session !== basename(this.folder))
          stops.notice({ at: "event", iteration, event: type, session, data });
    });
  }

  /** The agent says that it is over. */
  end(): void {
    const about = readSession(this.folder);
    if (!about) return;
    const ended = { ...about, endTime: new Date().toISOString() };
    replaceFile(join(this.folder, "session.json"), `${JSON.stringify(ended, null, 2)}\n`);
    refreshIndex(this.root);
  }

  private get eventsFile(): string {
    return join(this.folder, "events.jsonl");
  }

  /** The number of the last event that was written. */
  private lastSequence({ sequence, eventsBytes }: Saved): number {
    const { size } = statSync(this.eventsFile);
    if (size === eventsBytes) return sequence;
    const [last] = lastLines(this.eventsFile, 1, size);
    try {
      const written: unknown = JSON.parse(last?.text ?? "").sequence;
      if (typeof written === "number") return written;
    } catch {
      // Nothing of ours.
    }
    return sequence;
  }

  private hasCommands(): boolean {
    for (const _line of readLines(this.commandsFile, this.read().offset)) return true;
    return false;
  }

  /** An agent that was resumed has the same session and another process. */
  private adopt(): void {
    const about = readSession(this.folder);
    if (!about || (about.endTime === undefined && isAlive(about))) return;
    const { endTime: _end, processStart: _start, ...rest } = about;
    const adopted = { ...rest, pid: hookOwner() };
    replaceFile(join(this.folder, "session.json"), `${JSON.stringify(adopted, null, 2)}\n`);
    refreshIndex(this.root);
  }

  private read(): Saved {
    try {
      return JSON.parse(readFileSync(join(this.folder, "hook.json"), "utf8")) as Saved;
    } catch {
      return { sequence: 0, offset: 0 };
    }
  }

  private write(saved: Saved): void {
    replaceFile(join(this.folder, "hook.json"), JSON.stringify(saved));
  }
}

function readId(name: string): string | undefined {
  try {
    return readFileSync(name, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

function createSession(root: string, name: string, input: HookInput): string {
  const folder = AgentFolder.create(root, {
    pid: hookOwner(),
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    ...(input.model === undefined ? {} : { model: input.model }),
    more: { adapter: "hook", agentSession: input.session_id },
  });
  const { cwd, model, transcript_path: transcript } = input;
  const writer = new EventWriter(folder);
  writer.emit("session_start", { model, cwd, transcript, agentSession: input.session_id });
  replaceFile(join(folder.path, "hook.json"), JSON.stringify({ sequence: writer.sequence, offset: 0 }));
  folder.events.close();
  replaceFile(name, `${folder.id}\n`);
  return folder.id;
}
