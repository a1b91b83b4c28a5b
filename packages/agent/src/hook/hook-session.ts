import { existsSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  AgentFolder,
  AppendFile,
  BlobStore,
  debugPaths,
  isAlive,
  lastLines,
  readLines,
  readRegular,
  readSession,
  refreshIndex,
  replaceFile,
  withLock,
} from "@debug-bridge/journal";
import { PauseState, type SavedPauseState } from "../pausing/pause-state.js";
import { EventWriter } from "../session/event-writer.js";
import { STARTING_COMMANDS, takeStartingCommands } from "../session/starting-commands.js";
import type { HookInput } from "./hook-input.js";
import { HookTarget, type SavedTarget } from "./hook-target.js";
import { hookFile, readId } from "./hooked-session.js";
import { hookOwner } from "./owner.js";

/** The state that hooks share through a file. Each hook is a separate process. */
interface Saved {
  readonly sequence: number;
  /** Size of the events file at that time. It is larger if a hook was killed before it saved this state. */
  readonly eventsBytes?: number;
  /** Offset up to which commands were executed. */
  readonly offset: number;
  readonly pauseState?: SavedPauseState;
  readonly target?: SavedTarget;
}

/** The session while this process holds its lock. */
export interface OpenSession {
  readonly pauseState: PauseState;
  readonly target: HookTarget;
  emit(type: string, data: Record<string, unknown>): void;
}

/**
 * The session of an agent that is debugged through its hooks. Several hooks of one agent can run at the same time, each
 * in its own process. They share state through a file, which only the holder of the lock changes.
 */
export class HookSession {
  private constructor(
    private readonly root: string,
    readonly folder: string,
    private readonly lock: string,
    private readonly input: HookInput,
  ) {}

  /** Finds the session of an agent, or creates it at the agent's first hook. */
  static open(root: string, input: HookInput): HookSession {
    const session = HookSession.find(root, input);
    takeStartingCommands(process.env[STARTING_COMMANDS], session.commandsFile);
    return session;
  }

  private static find(root: string, input: HookInput): HookSession {
    const { hooks } = debugPaths(root);
    mkdirSync(hooks, { recursive: true, mode: 0o700 });
    const name = hookFile(root, input.session_id);
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

  /** Executes new commands, then runs an action on the session, and saves what changed. */
  async exclusively<Result>(action: (session: OpenSession) => Result): Promise<Result> {
    // Load the validators only when there is a command to check: the agent waits while this process starts.
    const runCommandLine = this.hasCommands()
      ? (await import("../commands/run-command-line.js")).runCommandLine
      : undefined;
    return withLock(this.lock, () => {
      const saved = this.read();
      const events = new AppendFile(this.eventsFile);
      try {
        const sink = { id: basename(this.folder), events, blobs: new BlobStore(this.folder) };
        const writer = new EventWriter(sink, this.lastSequence(saved));
        const emit = (type: string, data: Record<string, unknown>): void => {
          writer.emit(type, data);
          pauseState.onOwnEvent(type, sink.id, data);
        };
        const pauseState: PauseState = new PauseState(emit);
        if (saved.pauseState) pauseState.restore(saved.pauseState);
        const { model, transcript_path: transcript } = this.input;
        const target = new HookTarget(
          { root: this.root, sessionId: sink.id, model, transcript },
          pauseState,
          saved.target,
        );
        let { offset } = saved;
        if (runCommandLine) {
          for (const line of readLines(this.commandsFile, offset, false)) {
            runCommandLine(line, target, emit);
            offset = line.end;
          }
        }
        const result = action({ pauseState, target, emit });
        const { sequence } = writer;
        const eventsBytes = statSync(this.eventsFile).size;
        const next = { sequence, eventsBytes, offset, pauseState: pauseState.save(), target: target.save() };
        // Waiting hooks, including this one, wake up at each change of the file, so write it only when it changes.
        if (JSON.stringify(next) !== JSON.stringify(saved)) this.write(next);
        return result;
      } finally {
        events.close();
      }
    });
  }

  /** Pauses the agent if a breakpoint matches an event of another session since the last hook. */
  async checkHubEvents(): Promise<void> {
    const { types, since } = await this.exclusively(({ pauseState, target }) => ({
      types: pauseState.breakpoints.eventTypes,
      since: target.eventsSince,
    }));
    // Load the client of the hub only when a breakpoint needs it.
    const { readHubEvents } = await import("../hub/hub-events.js");
    const now = Date.now();
    const events = await readHubEvents(this.root, types, since);
    await this.exclusively(({ pauseState, target }) => {
      target.eventsSince = Math.max(target.eventsSince, now);
      const { iteration } = pauseState;
      for (const { type, session, data } of events)
        if (session !== basename(this.folder))
          pauseState.onEvent({ at: "event", iteration, event: type, session, data });
    });
  }

  /** Marks the session as ended. */
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

  /** The sequence number of the last event in the file. */
  private lastSequence({ sequence, eventsBytes }: Saved): number {
    const { size } = statSync(this.eventsFile);
    if (size === eventsBytes) return sequence;
    const [last] = lastLines(this.eventsFile, 1, size);
    try {
      const written: unknown = JSON.parse(last?.text ?? "").sequence;
      if (typeof written === "number") return written;
    } catch {
      // Not one of our events.
    }
    return sequence;
  }

  private hasCommands(): boolean {
    for (const _line of readLines(this.commandsFile, this.read().offset, false)) return true;
    return false;
  }

  /** A resumed agent keeps its session but has a new process. */
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
      return JSON.parse(readRegular(join(this.folder, "hook.json"))) as Saved;
    } catch {
      return { sequence: 0, offset: 0 };
    }
  }

  private write(saved: Saved): void {
    replaceFile(join(this.folder, "hook.json"), JSON.stringify(saved));
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
