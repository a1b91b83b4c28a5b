import {
  BridgeError,
  CHAT_LIMITS,
  type ChatImage,
  type ChatProvider,
  type ProviderEvent,
  type ProviderOutcome,
  type ProviderRequest,
  type ProviderRun,
  type RunEvent,
  truncate,
} from "@debug-bridge/protocol";
import { DeltaBuffer } from "../transcript/delta-buffer.js";
import type { NewEvent, TranscriptWriter } from "../transcript/transcript.js";

export interface ActiveRunOptions {
  readonly runId: string;
  readonly provider: ChatProvider;
  readonly writer: TranscriptWriter;
  readonly request: ProviderRequest;
  /** The message for a provider that does not know the conversation. */
  readonly freshMessage: () => string;
  /** Keeps a picture of a tool. Throws why it cannot be kept. */
  saveImage(base64: string): ChatImage;
  /** Called after an event is on disk. */
  onEvent(event: RunEvent): void;
  onProcess(pid: number): void;
  /** Called once or more before the last event. */
  onEnding(): void;
}

type ApprovalPayload = Extract<RunEvent, { event: "run.approval" }>["payload"];
type StopReason = "person" | "interrupted";

/** One run of a chat: what the provider reports becomes events in the transcript, and the last one is its end. */
export class ActiveRun {
  private readonly deltas = new DeltaBuffer((text) => this.write({ event: "run.delta", payload: { text } }));
  private current: ProviderRun | undefined;
  private stopping: StopReason | undefined;
  private failure: BridgeError | undefined;
  private bytes = 0;

  constructor(private readonly options: ActiveRunOptions) {}

  /** Runs to the end. Never rejects: what goes wrong is in the transcript, if it can still be written. */
  async run(): Promise<void> {
    let outcome = await this.attempt(this.options.request);
    if (outcome.outcome === "unknown_thread" && !this.stopping) {
      const { provider, request } = this.options;
      this.report({
        type: "step",
        id: "new-thread",
        kind: "notice",
        title: `${provider.title} no longer knows this conversation; a new thread was started with a summary of it`,
        status: "done",
        detail: `unknown thread: ${request.resumeSessionId}`,
      });
      outcome = await this.attempt({
        ...request,
        resumeSessionId: undefined,
        message: this.options.freshMessage(),
      });
    }
    this.finish(outcome);
  }

  /** Ends the provider; `run` then resolves. What was said so far is kept. */
  async stop(reason: StopReason): Promise<void> {
    this.stopping ??= reason;
    this.options.onEnding();
    await this.current?.stop();
  }

  /** Writes that the person is asked, or has answered. */
  readonly reportApproval = (payload: ApprovalPayload): void =>
    this.writeAfterDeltas({ event: "run.approval", payload });

  private async attempt(request: ProviderRequest): Promise<ProviderOutcome> {
    if (this.stopping) return { outcome: "done" };
    try {
      this.current = this.options.provider.start(request, (event) => this.report(event));
    } catch (thrown) {
      const { code, message } = BridgeError.from(thrown);
      return { outcome: "failed", code, message };
    }
    try {
      if (this.current.pid !== undefined) this.options.onProcess(this.current.pid);
    } catch {
      // It only helps a later hub to end what this one may leave.
    }
    return this.current.done;
  }

  private report(event: ProviderEvent): void {
    if (this.failure) return;
    const { name } = this.options.provider;
    switch (event.type) {
      case "delta":
        this.deltas.add(event.text);
        return;
      case "session":
        // A thread whose name cannot be kept cannot be continued: the next run starts a new one.
        if (safeId(event.sessionId) !== event.sessionId) return;
        this.writeAfterDeltas({
          event: "run.provider_session",
          payload: { provider: name, sessionId: event.sessionId },
        });
        return;
      case "usage":
        this.writeAfterDeltas({ event: "run.usage", payload: { provider: name, usage: event.usage } });
        return;
      case "step": {
        const { id, kind, status } = event;
        const title = fit(event.title.replace(/\s+/g, " "), CHAT_LIMITS.title);
        const { images, notes } = this.saveImages(event.images ?? []);
        const text = [event.detail, ...notes].filter((part) => part !== undefined).join("\n");
        const detail = text === "" ? {} : { detail: fit(text, CHAT_LIMITS.detail) };
        this.writeAfterDeltas({
          event: "run.step",
          payload: {
            ...{ id: safeId(id), kind, title, status, ...detail },
            ...(images.length === 0 ? {} : { images }),
          },
        });
      }
    }
  }

  /** A picture that cannot be kept is left out, and the step says so. */
  private saveImages(given: readonly string[]): { images: ChatImage[]; notes: string[] } {
    const images: ChatImage[] = [];
    const notes = new Set<string>();
    for (const each of given) {
      try {
        images.push(this.options.saveImage(each));
      } catch (thrown) {
        notes.add(`(a picture was left out: ${BridgeError.from(thrown).message})`);
      }
    }
    return { images, notes: [...notes] };
  }

  private finish(outcome: ProviderOutcome): void {
    this.options.onEnding();
    this.deltas.flush();
    if (this.failure) this.writeError(this.failure.code, this.failure.message);
    else if (this.stopping) {
      this.write({ event: "run.stopped", payload: { reason: this.stopping } });
      return;
    } else if (outcome.outcome === "unknown_thread")
      this.writeError("internal", "the provider does not know the thread that it just started");
    else if (outcome.outcome === "failed") this.writeError(outcome.code, outcome.message);
    const failed = this.failure !== undefined || outcome.outcome !== "done";
    this.write({ event: "run.finished", payload: { outcome: failed ? "failed" : "done" } }, true);
  }

  private writeError(code: string, message: string): void {
    this.write({ event: "run.error", payload: { code, message: fit(message, CHAT_LIMITS.detail) } }, true);
  }

  private writeAfterDeltas(event: NewEvent): void {
    this.deltas.flush();
    this.write(event);
  }

  /** A run that cannot be written, or that writes too much, is ended. */
  private write(event: NewEvent, isEnd = false): void {
    if (this.failure && !isEnd) return;
    try {
      const written = this.options.writer.append(this.options.runId, event);
      this.bytes += written.bytes;
      this.options.onEvent(written.event);
    } catch (thrown) {
      this.fail(BridgeError.from(thrown));
      return;
    }
    if (this.bytes > CHAT_LIMITS.runBytes && !isEnd)
      this.fail(
        new BridgeError("too_large", `the run was ended: it wrote more than ${CHAT_LIMITS.runBytes} bytes`),
      );
  }

  private fail(error: BridgeError): void {
    if (this.failure) return;
    this.failure = error;
    void this.current?.stop();
  }
}

const MAX_ID = 200;

/** Ids come from other programs. */
const safeId = (id: string): string => id.replace(/[^\w:.-]/g, "_").slice(0, MAX_ID) || "_";

const SUFFIX = 40;

function fit(text: string, max: number): string {
  return text.length <= max ? text : truncate(text, max - SUFFIX);
}
