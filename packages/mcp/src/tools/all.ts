import type { Tool } from "../tool.js";
import { actTool } from "./act.js";
import { browserActionTool } from "./browser-action.js";
import { controlTool } from "./control.js";
import { evaluateTool } from "./evaluate.js";
import { executeTool, resetTool } from "./execute.js";
import { findTool } from "./find.js";
import { logsTool } from "./logs.js";
import { observeTool } from "./observe.js";
import { recordTool } from "./record.js";
import { screenshotTool } from "./screenshot.js";
import { sessionsTool } from "./sessions.js";
import { whyTool } from "./why.js";

/** Every tool, in the order in which they are offered. */
export const tools: readonly Tool[] = [
  sessionsTool,
  observeTool,
  findTool,
  actTool,
  logsTool,
  evaluateTool,
  screenshotTool,
  browserActionTool,
  recordTool,
  controlTool,
  executeTool,
  resetTool,
];

/** What a shell has besides: for a model it is a field of `logs`, because every definition costs it tokens. */
export const shellTools: readonly Tool[] = [...tools, whyTool];
