import type { BrowserInstruction, ImageContent, Receipt, RunnerConfig } from "@debug-bridge/protocol";
import type { PageCommands } from "../hub/page-commands.js";
import type { ActionLogs } from "../report/logs.js";
import type { PageReport } from "../report/page-report.js";
import type { LaunchedPage } from "../session/launched-page.js";

/** What an instruction is carried out with. */
export interface ActionContext {
  /** Sends commands through the hub. Everything that looks at or acts on the page goes through it. */
  readonly commands: PageCommands;
  readonly page: LaunchedPage;
  readonly report: PageReport;
  readonly config: RunnerConfig;
  readonly logs: ActionLogs;
  /** Makes instructions be about another page of the browser. Returns the commands for it. */
  switchTo(number: number): PageCommands;
}

/** What an instruction yields. One that failed throws. */
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
