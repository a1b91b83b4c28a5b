import { existsSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  AgentFolder,
  AppendFile,
  BlobStore,
  debugPaths,
  forgetDeadDebuggers,
  isAlive,
  lastLines,
  readLines,
  readRegular,
  readSession,
  refreshIndex,
  replaceFile,
  withLock,
} from "@debug-bridge/journal";
import type { runCommandLine } from "../../commands/run-command-line.js";
import { PauseState, type SavedPauseState } from "../../pausing/pause-state.js";
import { EventWriter } from "../../session/event-writer.js";
import { moveStartingCommands, STARTING_COMMANDS } from "../../session/starting-commands.js";
import type { HookInput } from "../input/hook-input.js";
import { modelIn } from "../transcript/transcript-facts.js";
import { HookTarget, type SavedTarget } from "./hook-target.js";
import { hookFile, readId } from "./hooked-session.js";
import { hookOwner } from "./owner.js";
import { isMarkedQuiet, linkOwner, markQuiet, unlinkOwner, unmarkQuiet } from "./quiet.js";

/** The state that hooks share through a file. Each hook is a separate process. */
interface Saved {
  readonly sequence: number;
  /** Size of the events file at that time. It is larger if a hook was killed before it saved this state. */
  readonly eventsBytes?: number;
  /** Offset up to which commands were executed. */
  readonly offset: number;
  /** The last hook from the spool that was recorded. */
  readonly spooled?: string;
  readonly pauseState?: SavedPauseState;
  readonly target?: SavedTarget;
}

/** The session while this process holds its lock. */
export interface OpenSession {
  readonly pauseState: PauseState;
  readonly target: HookTarget;
  emit(type: string, data: Record<string, unknown>, at?: Date): void;
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

  /** Finds the session of the agent that runs this hook, or creates it at the agent's first hook. */
  static open(root: string, input: HookInput, agent?: string): HookSession {
    const owner = hookOwner();
    const session = HookSession.of(root, input, owner, agent);
    // Only a shell that is a child of the agent finds the session by the agent's process.
    if (owner === process.ppid && process.platform !== "win32") linkOwner(root, owner, session.folder);
    moveStartingCommands(process.env[STARTING_COMMANDS], session.commandsFile);
    return session;
  }

  /** Finds or creates the session of an agent with this process. */
  static of(root: string, input: HookInput, owner: number, agent?: string): HookSession {
    const { hooks, sessions } = debugPaths(root);
    mkdirSync(hooks, { recursive: true, mode: 0o700 });
    const name = hookFile(root, input.session_id);
    const lock = `${name}.lock`;
    const create = (): string => createSession(root, name, input, owner, agent);
    const id = readId(name) ?? withLock(lock, () => readId(name) ?? create());
    const isThere = existsSync(join(sessions, id));
    const folder = join(sessions, isThere ? id : withLock(lock, create));
    const session = new HookSession(root, folder, lock, input);
    if (isThere) session.adopt(owner);
    return session;
  }

  get commandsFile(): string {
    return join(this.folder, "commands.jsonl");
  }

  /** Executes new commands, then runs an action on the session, and saves what changed. */
  async exclusively<Result>(action: (session: OpenSession) => Result): Promise<Result> {
    // Load the validators only when there is a command to check: the agent waits while this process starts.
    const run = this.hasCommands()
      ? (await import("../../commands/run-command-line.js")).runCommandLine
      : undefined;
    return this.locked(action, run);
  }

  /** Records what happened, if it was not recorded before. Commands have to wait for the next hook. */
  record(events: readonly { id: string; record(session: OpenSession): void }[]): void {
    const last = events.at(-1)?.id;
    if (last === undefined) return;
    this.locked(
      (session) => {
        const { spooled } = this.read();
        const done = events.findLastIndex(({ id }) => id === spooled);
        for (const event of events.slice(done + 1)) event.record(session);
      },
      undefined,
      last,
    );
  }

  /** Pauses the agent if a breakpoint matches an event of another session since the last hook. */
  async checkHubEvents(): Promise<void> {
    const { types, since } = await this.exclusively(({ pauseState, target }) => ({
      types: pauseState.breakpoints.eventTypes,
      since: target.eventsSince,
    }));
    // Load the client of the hub only when a breakpoint needs it.
    const { readHubEvents } = await import("../../hub/hub-events.js");
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
    unmarkQuiet(this.folder);
    unlinkOwner(this.root, process.ppid);
    this.describe({ endTime: new Date().toISOString() });
    refreshIndex(this.root);
  }

  private locked<Result>(
    action: (session: OpenSession) => Result,
    run: typeof runCommandLine | undefined,
    spooled?: string,
  ): Result {
    return withLock(this.lock, () => {
      const saved = this.read();
      const events = new AppendFile(this.eventsFile);
      try {
        const sink = { id: basename(this.folder), events, blobs: new BlobStore(this.folder) };
        const writer = new EventWriter(sink, this.lastSequence(saved));
        const emit: OpenSession["emit"] = (type, data, at) => {
          writer.emit(type, data, at);
          pauseState.onOwnEvent(type, sink.id, data);
        };
        const pauseState: PauseState = new PauseState(emit);
        if (saved.pauseState) pauseState.restore(saved.pauseState);
        const target = new HookTarget(this.describeAgent(), pauseState, saved.target);
        let { offset } = saved;
        if (run) {
          target.unattended = false;
          forgetDeadDebuggers(this.folder);
          for (const line of readLines(this.commandsFile, offset, false)) {
            run(line, target, emit);
            offset = line.end;
          }
        }
        const result = action({ pauseState, target, emit });
        const next: Saved = {
          sequence: writer.sequence,
          eventsBytes: statSync(this.eventsFile).size,
          offset,
          ...(spooled === undefined && saved.spooled === undefined
            ? {}
            : { spooled: spooled ?? saved.spooled }),
          pauseState: pauseState.save(),
          target: target.save(),
        };
        // Waiting hooks, including this one, wake up at each change of the file, so write it only when it changes.
        if (JSON.stringify(next) !== JSON.stringify(saved)) this.write(next);
        this.updateQuiet(pauseState.isIdle && target.isIdle);
        return result;
      } finally {
        events.close();
      }
    });
  }

  /** While nothing can stop the agent, its hooks need no process of Node. */
  private updateQuiet(isIdle: boolean): void {
    if (!isIdle) unmarkQuiet(this.folder);
    else if (!isMarkedQuiet(this.folder) && !this.hasCommands()) {
      markQuiet(this.folder, this.commandsFile);
      // A command that came in between removed no mark.
      if (this.hasCommands()) unmarkQuiet(this.folder);
    }
  }

  private describeAgent(): ConstructorParameters<typeof HookTarget>[0] {
    const { transcript_path: transcript } = this.input;
    const about = readSession(this.folder);
    let { model } = this.input;
    model ??= about?.model ?? modelIn(transcript);
    if (model !== undefined && about && about.model !== model) this.describe({ model });
    const agent = typeof about?.agent === "string" ? about.agent : undefined;
    return { root: this.root, sessionId: basename(this.folder), agent, model, transcript };
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
  private adopt(owner: number): void {
    const about = readSession(this.folder);
    if (!about || (about.endTime === undefined && isAlive(about)) || !isAlive({ pid: owner })) return;
    this.describe({ pid: owner, endTime: undefined, processStart: undefined });
    refreshIndex(this.root);
  }

  /** Changes `session.json`. */
  private describe(change: Readonly<Record<string, unknown>>): void {
    const about = readSession(this.folder);
    if (about)
      replaceFile(join(this.folder, "session.json"), `${JSON.stringify({ ...about, ...change }, null, 2)}\n`);
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

function createSession(
  root: string,
  name: string,
  input: HookInput,
  owner: number,
  agent: string | undefined,
): string {
  const folder = AgentFolder.create(root, {
    pid: owner,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    ...(input.model === undefined ? {} : { model: input.model }),
    more: { adapter: "hook", ...(agent === undefined ? {} : { agent }), agentSession: input.session_id },
  });
  const { cwd, model, transcript_path: transcript } = input;
  const writer = new EventWriter(folder);
  writer.emit("session_start", { provider: agent, model, cwd, transcript, agentSession: input.session_id });
  replaceFile(join(folder.path, "hook.json"), JSON.stringify({ sequence: writer.sequence, offset: 0 }));
  folder.events.close();
  replaceFile(name, `${folder.id}\n`);
  return folder.id;
}
