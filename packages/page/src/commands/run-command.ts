import type { Command, CommandOutcome } from "@debug-bridge/protocol";
import type { DialogRules } from "../act/dialog-rules.js";
import { resolveTarget } from "../act/resolve.js";
import { waitFor } from "../act/wait-for.js";
import type { TelemetryCapture } from "../capture/telemetry-capture.js";
import type { PageInput } from "../input.js";
import type { PageEngineOptions } from "../options.js";
import type { Activity } from "../receipt/activity.js";
import type { Emit } from "../telemetry.js";
import type { PageView } from "../view/view.js";
import type { StateStore } from "./app-state.js";
import { refuseWhenLeaving } from "./leaving.js";
import { observe, readState } from "./observe.js";
import { partFor } from "./part-for.js";
import type { LoadPart } from "./parts.js";
import type { Tools } from "./tools.js";

/** Everything that commands work with. */
export interface CommandContext {
  readonly view: PageView;
  readonly activity: Activity;
  readonly state: StateStore;
  readonly tools: Tools;
  readonly data: TelemetryCapture["data"];
  /** Dispatched events if omitted. */
  readonly input: PageInput | undefined;
  readonly dialogs: DialogRules;
  readonly signal: AbortSignal;
  /** When the command came. */
  readonly startedAt: number;
  readonly allowEval: boolean;
  readonly actions: PageEngineOptions["actions"];
  readonly caughtUp: PageEngineOptions["caughtUp"];
  readonly capture: TelemetryCapture;
  readonly loadPart: LoadPart;
  readonly emit: Emit;
  emitSnapshot(element?: Element): void;
  sendTree(): void;
}

/** Carries out one command. What it throws is the answer's error. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandOutcome> {
  refuseWhenLeaving(context);
  if (context.actions?.[command.type]) return (await partFor("act", command, context)).act(command, context);
  context.view.tree.invalidate(looksEverywhere(command));
  switch (command.type) {
    case "click":
    case "type":
    case "press":
    case "select":
    case "hover":
    case "scroll":
    case "drag":
    case "set_files":
    case "navigate":
    case "evaluate":
    case "call_tool":
      return (await partFor("act", command, context)).act(command, context);
    case "dialog":
      context.dialogs.set(command);
      return { value: { for: command.for ?? "next" } };
    case "wait_for":
      await waitFor(context.view, context.activity, command, context.signal);
      return {};
    case "request_ui_tree":
      return command.source
        ? (await partFor("source", command, context)).observeSources(command, context, () =>
            observe(command, context),
          )
        : observe(command, context);
    case "request_dom_snapshot":
      context.emitSnapshot(command.target ? resolveTarget(context.view, command.target) : undefined);
      return {};
    case "get_state":
      return readState(command, context);
    default:
      return (await partFor("find", command, context)).runRareCommand(command, context);
  }
}

/** Whether the answer is about the whole page, and not only about what is read of it. */
function looksEverywhere(command: Command): boolean {
  const { type } = command;
  return type === "find" || type === "wait_for" || (type === "request_ui_tree" && command.format !== "text");
}
