import type { BrowserInstruction, ImageContent, Receipt, RunnerConfig } from "@debug-bridge/protocol";
import type { ActionLogs } from "../log/logs.js";
import type { LivePage } from "../session/live-page.js";

/** What an action works with. */
export interface ActionContext {
  readonly live: LivePage;
  readonly config: RunnerConfig;
  readonly logs: ActionLogs;
  /** Aborted when the action has been answered: whatever of it still runs must not touch the page any more. */
  readonly over?: AbortSignal;
}

/** What an action yields. One that failed throws. */
export interface ActionYield {
  readonly result?: unknown;
  readonly receipt?: Receipt | undefined;
  readonly screenshot?: ImageContent;
}

export type InstructionOf<Type extends BrowserInstruction["type"]> = Extract<
  BrowserInstruction,
  { type: Type }
>;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
