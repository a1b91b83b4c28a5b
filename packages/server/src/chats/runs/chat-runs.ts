import { endProcessTree, isAlive } from "@debug-bridge/journal";
import {
  BridgeError,
  CHAT_LIMITS,
  type ChatProvider,
  type RunEvent,
  type SimpleBreakpoint,
  type StartRun,
} from "@debug-bridge/protocol";
import type { Approvals } from "../approvals/approvals.js";
import type { SavedImage } from "../images/chat-images.js";
import { readPictures } from "../images/sent-pictures.js";
import type { ChatFolder } from "../store/chat-folder.js";
import type { ChatStore } from "../store/chat-store.js";
import { MetaUpdater } from "../store/meta-updater.js";
import { createUlid, isUlid } from "../store/ulid.js";
import { foldEvent } from "../transcript/fold-event.js";
import { readTranscript, TranscriptWriter, transcriptBytes } from "../transcript/transcript.js";
import { ActiveRun } from "./active-run.js";
import { promptText } from "./message-text.js";
import { mentionOf, promptOf, withSummary } from "./prompt.js";
import type { RunBreakpoints } from "./run-breakpoints.js";
import { claimRun, isLeftBehind, markOf, readClaim, releaseClaim, writeClaim } from "./run-claim.js";
import { turnsOf } from "./turns.js";

export interface ChatRunsOptions {
  readonly store: ChatStore;
  readonly providers: readonly ChatProvider[];
  /** Address of this hub. */
  readonly hubUrl: () => string;
  /** The session that the person has in front. */
  readonly frontSession: () => string | undefined;
  readonly approvals: Approvals;
  readonly breakpoints: RunBreakpoints;
  /** Called when the entry of a chat in the list may have changed. */
  onChanged(chatId: string): void;
}

interface Running {
  readonly chatId: string;
  readonly run: ActiveRun;
  /** The sessions in which its agent is debugged. */
  readonly agents: ReadonlySet<string>;
  readonly ended: Promise<void>;
}

/** The runs of this hub: at most one in each chat. */
export class ChatRuns {
  private readonly running = new Map<string, Running>();
  private readonly recovering = new Map<string, Promise<void>>();
  private closed = false;

  constructor(private readonly options: ChatRunsOptions) {}

  /** Marks runs as interrupted whose hub ended before them, and ends their processes. */
  async recoverAll(): Promise<void> {
    for (const folder of this.options.store.claimed()) await this.recover(folder).catch(() => {});
  }

  /** The same for one chat, before somebody reads it: its hub may have ended while this one runs. */
  async recoverChat(chatId: string): Promise<void> {
    // Another hub may be faster.
    await this.recover(this.options.store.folder(chatId)).catch(() => {});
  }

  async start(chatId: string, { message, context }: StartRun): Promise<string> {
    const { store } = this.options;
    const folder = store.folder(chatId);
    const pictures = readPictures(context?.images ?? []);
    const meta = store.meta(chatId);
    const provider = this.provider(meta.provider);
    const problem = provider.problem();
    if (problem !== undefined) throw new BridgeError("not_supported", problem);
    this.assertRoom(folder);
    await this.recover(folder);
    if (this.closed) throw new BridgeError("cancelled", "the hub is closing");
    const runId = createUlid();
    claimRun(folder, runId);
    try {
      const images = pictures.map((bytes) => folder.images.save(bytes));
      this.launch(folder, runId, provider, message, context, images);
    } catch (thrown) {
      releaseClaim(folder);
      throw thrown;
    }
    return runId;
  }

  /** Ends a run of this hub; resolves when its last event is on disk. */
  async stop(runId: string): Promise<void> {
    const running = this.running.get(runId);
    if (running) {
      await running.run.stop("person");
      await running.ended;
      return;
    }
    throw this.notRunning(runId);
  }

  /** Whether a run of this hub has not ended. */
  isRunning(runId: string): boolean {
    return this.running.has(runId);
  }

  /** Throws when no run of this hub with this id is running. */
  assertRunning(runId: string): void {
    if (!this.running.has(runId)) throw this.notRunning(runId);
  }

  /** Whether a session is the agent of a run of this hub that has not ended. */
  isAgentOfRun(sessionId: string): boolean {
    return [...this.running.values()].some(({ agents }) => agents.has(sessionId));
  }

  /** Changes where the agent of a chat stops, if one runs. Throws when it cannot be changed now. */
  async sendBreakpoints(chatId: string, breakpoints: SimpleBreakpoint[], client: string): Promise<void> {
    const running = [...this.running.values()].find((each) => each.chatId === chatId);
    const claim = readClaim(this.options.store.folder(chatId));
    if (!running && claim && isAlive(claim.hub))
      throw new BridgeError(
        "conflict",
        "another hub of this home runs this chat; change its breakpoints there, or wait for the end of the run",
      );
    for (const agent of running?.agents ?? [])
      await this.options.breakpoints.send(agent, breakpoints, client);
  }

  /** Ends every run; each is marked as interrupted. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      [...this.running.values()].map(async ({ run, ended }) => {
        await run.stop("interrupted");
        await ended;
      }),
    );
  }

  /** The provider with this name. Throws when there is none. */
  provider(name: string): ChatProvider {
    const found = this.options.providers.find((each) => each.name === name);
    if (found) return found;
    const known = this.options.providers.map((each) => each.name).join(", ");
    throw new BridgeError(
      "not_supported",
      `provider ${JSON.stringify(name.slice(0, 60))} is not known to this hub; ${known === "" ? "it has none: start it with debug-bridge up" : `use one of: ${known}`}`,
      { field: "provider" },
    );
  }

  private launch(
    folder: ChatFolder,
    runId: string,
    provider: ChatProvider,
    message: string,
    given: StartRun["context"],
    images: readonly SavedImage[],
  ): void {
    const { element, images: _sent, ...rest } = given ?? {};
    const session = given?.session ?? this.options.frontSession();
    const context = session === undefined ? given && rest : { ...rest, session };
    const saved = folder.read();
    const resumeSessionId = saved?.providerState[provider.name]?.sessionId;
    const prompt = promptOf(message, context, element);
    // Read only when it is needed: a chat can be long.
    const freshMessage = (): string => {
      const turns = turnsOf(readTranscript(folder.transcript, folder.id), promptText);
      return withSummary(
        turns.filter((turn) => turn.runId !== runId),
        prompt,
      );
    };
    const isNew = resumeSessionId === undefined;
    const agents = new Set<string>();
    const { breakpoints } = this.options;
    const commandsFile = breakpoints.prepare(folder, runId, saved?.breakpoints);
    const meta = new MetaUpdater(folder);
    const onEvent = (event: RunEvent): void => {
      if (meta.add(event)) this.options.onChanged(folder.id);
      if (event.event !== "run.step" || event.payload.kind !== "agent" || event.payload.detail === undefined)
        return;
      agents.add(event.payload.detail);
      // They may have been changed since the run was started.
      const now = folder.read()?.breakpoints;
      if (now && JSON.stringify(now) !== JSON.stringify(saved?.breakpoints))
        void breakpoints.send(event.payload.detail, now, "chat").catch(() => {});
    };
    const writer = new TranscriptWriter(folder.transcript, folder.id);
    const resumed = isNew ? {} : { resumeSessionId };
    const started = {
      ...{ message, provider: provider.name },
      ...(context === undefined ? {} : { context }),
      ...(images.length === 0 ? {} : { images: images.map(({ file: _file, ...image }) => image) }),
      ...(element === undefined ? {} : { element: mentionOf(element) }),
      ...resumed,
    };
    try {
      endOpenRun(writer);
      onEvent(writer.append(runId, { event: "run.started", payload: started }).event);
    } catch (thrown) {
      writer.close();
      throw thrown;
    }
    const run = new ActiveRun({
      ...{ runId, provider, writer, freshMessage, onEvent },
      saveImage: (base64) => {
        const { file: _file, ...image } = folder.images.save(Buffer.from(base64, "base64"));
        return image;
      },
      request: {
        ...{ runId, session, ...resumed, cwd: saved?.cwd ?? process.cwd(), hubUrl: this.options.hubUrl() },
        ...(images.length === 0 ? {} : { images }),
        ...(commandsFile === undefined ? {} : { commandsFile }),
        // A provider that the conversation moves to has heard nothing of it.
        message: isNew ? freshMessage() : prompt,
      },
      onProcess: (pid) => writeClaim(folder, { runId, hub: markOf(process.pid), provider: markOf(pid) }),
      onEnding: () => this.options.approvals.close(runId),
    });
    this.options.approvals.open(runId, folder.id, run.reportApproval);
    const ended = run.run().finally(() => {
      this.running.delete(runId);
      writer.close();
      breakpoints.discard(folder);
      releaseClaim(folder);
      this.options.onChanged(folder.id);
    });
    this.running.set(runId, { chatId: folder.id, run, agents, ended: ended.catch(() => {}) });
  }

  /** Writes the end of a run that its hub could not write. Whoever needs the chat meanwhile waits for it. */
  private recover(folder: ChatFolder): Promise<void> {
    const ongoing = this.recovering.get(folder.id);
    if (ongoing || !isLeftBehind(folder)) return ongoing ?? Promise.resolve();
    const recovery = this.endLeftRun(folder).finally(() => this.recovering.delete(folder.id));
    this.recovering.set(folder.id, recovery);
    return recovery;
  }

  private async endLeftRun(folder: ChatFolder): Promise<void> {
    const left = claimRun(folder, createUlid());
    try {
      if (left?.provider && isAlive(left.provider)) await endProcessTree(left.provider.pid);
      const writer = new TranscriptWriter(folder.transcript, folder.id);
      endOpenRun(writer);
      writer.close();
      // The hub may have ended between an event and the metadata.
      const events = [...readTranscript(folder.transcript, folder.id)];
      folder.update((meta) => events.reduce(foldEvent, meta));
    } finally {
      releaseClaim(folder);
      this.options.onChanged(folder.id);
    }
  }

  private assertRoom(folder: ChatFolder): void {
    if (this.running.size >= CHAT_LIMITS.runsAtOnce)
      throw new BridgeError(
        "rate_limit",
        `${this.running.size} runs are going on, which is the limit; wait for one, or stop one`,
      );
    if (transcriptBytes(folder.transcript) > CHAT_LIMITS.transcriptBytes)
      throw new BridgeError(
        "too_large",
        `this chat has more than ${CHAT_LIMITS.transcriptBytes} bytes; continue in a new one`,
      );
  }

  private notRunning(runId: string): BridgeError {
    const elsewhere =
      isUlid(runId) && this.options.store.claimed().find((folder) => readClaim(folder)?.runId === runId);
    if (elsewhere)
      return new BridgeError("conflict", `run ${runId} belongs to another hub of this home; stop it there`);
    return new BridgeError("session_not_found", `no run ${JSON.stringify(runId.slice(0, 60))} is running`);
  }
}

function endOpenRun(writer: TranscriptWriter): void {
  if (writer.openRun !== undefined)
    writer.append(writer.openRun, { event: "run.stopped", payload: { reason: "interrupted" } });
}
