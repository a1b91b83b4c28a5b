import type { ChatUsage, RUN_STEP_KINDS, RUN_STEP_STATUSES } from "../schema/chat/events.js";
import type { ImageType } from "../schema/chat/pictures.js";

/** One turn of a conversation, for the provider that runs it. */
export interface ProviderRequest {
  readonly runId: string;
  readonly message: string;
  /** The provider's own thread; left out for a new one. */
  readonly resumeSessionId?: string | undefined;
  /** The folder that the agent works in. */
  readonly cwd: string;
  /** Address of the hub whose tools the agent gets. */
  readonly hubUrl: string;
  /** The session that these tools work in when the agent names none. */
  readonly session?: string | undefined;
  /** The pictures that the person sent. */
  readonly images?: readonly ProviderImage[] | undefined;
  /** A file with commands that the agent's debugger executes before anything else, and removes. */
  readonly commandsFile?: string | undefined;
}

/** A picture in a file. */
export interface ProviderImage {
  readonly file: string;
  readonly mimeType: ImageType;
}

export interface ProviderStep {
  readonly id: string;
  readonly kind: (typeof RUN_STEP_KINDS)[number];
  readonly title: string;
  readonly status: (typeof RUN_STEP_STATUSES)[number];
  readonly detail?: string | undefined;
  /** The pictures that a tool returned, in base64. */
  readonly images?: readonly string[] | undefined;
}

/** What a provider reports while it runs. */
export type ProviderEvent =
  | { readonly type: "session"; readonly sessionId: string }
  | { readonly type: "delta"; readonly text: string }
  | ({ readonly type: "step" } & ProviderStep)
  | { readonly type: "usage"; readonly usage: ChatUsage };

/** How a turn ended. `unknown_thread`: the provider does not know the thread that it was to continue, and did nothing. */
export type ProviderOutcome =
  | { readonly outcome: "done" }
  | { readonly outcome: "unknown_thread" }
  | { readonly outcome: "failed"; readonly code: string; readonly message: string };

/** A turn that is running. */
export interface ProviderRun {
  /** Its process, so that a later hub can end what this one left. */
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly done: Promise<ProviderOutcome>;
  /** Ends it and everything that it started. */
  stop(): Promise<void>;
}

/** An agent that people can talk to. */
export interface ChatProvider {
  /** `codex`; the key of its state in a chat. */
  readonly name: string;
  /** For people: `Codex`. */
  readonly title: string;
  /** What is missing, with the command that fixes it; undefined when it can be used. */
  problem(): string | undefined;
  start(request: ProviderRequest, onEvent: (event: ProviderEvent) => void): ProviderRun;
}
