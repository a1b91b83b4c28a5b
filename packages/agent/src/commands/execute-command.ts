import { type AgentCommand, type BreakpointCommandData, BridgeError } from "@debug-bridge/protocol";
import type { PauseState } from "../pausing/pause-state.js";
import type { InspectWhat } from "./snapshot.js";

/** The target of commands: an agent in this process, or one that is debugged through hooks. */
export interface CommandTarget {
  readonly pauseState: PauseState;
  snapshot(what: InspectWhat): unknown;
  injectMessage(message: { role: "user" | "assistant"; content: string }): unknown;
  /** Sets a variable, or the input of a held tool call; returns what was set. */
  setVariable(key: string, value: unknown): unknown;
  cancelTool(toolId: string): unknown;
  /** Called after breakpoints were removed. */
  onBreakpointsRemoved(): void;
  addBreakpoint(spec: Extract<BreakpointCommandData, { action: "add" }>): unknown;
  checkpoint(label: string | undefined): unknown;
  rewind(checkpoint: string): unknown;
  branch(checkpoint: string): unknown;
}

/** Executes a command. The result is the `data` of its response; a thrown error is its error. */
export function executeCommand(command: AgentCommand, target: CommandTarget): unknown {
  const { pauseState } = target;
  switch (command.type) {
    case "pause":
      pauseState.requestPause();
      return { paused: pauseState.paused };
    case "resume":
      return { wasPaused: pauseState.resume() };
    case "step":
      pauseState.step();
      return { iteration: pauseState.iteration };
    case "inspect":
      return target.snapshot(command.data.what);
    case "inject_message":
      return target.injectMessage(command.data);
    case "set_variable":
      return target.setVariable(command.data.key, command.data.value);
    case "cancel_tool":
      return target.cancelTool(command.data.toolId);
    case "breakpoint":
      return executeBreakpoint(command.data, target);
    case "checkpoint":
      return target.checkpoint(command.data?.label);
    case "rewind":
      return target.rewind(command.data.checkpoint);
    case "branch":
      return target.branch(command.data.checkpoint);
  }
}

function executeBreakpoint(data: BreakpointCommandData, target: CommandTarget): unknown {
  const { breakpoints } = target.pauseState;
  switch (data.action) {
    case "add":
      return target.addBreakpoint(data);
    case "list":
      return { breakpoints: breakpoints.list() };
    case "replace":
      return { breakpoints: breakpoints.replace(data.group, data.breakpoints) };
    case "clear":
    case "clear-all": {
      const removed =
        data.action === "clear"
          ? { breakpoint: breakpoints.clear(data.id) }
          : { cleared: breakpoints.clearAll() };
      target.onBreakpointsRemoved();
      return removed;
    }
    case "enable":
    case "disable":
      return { breakpoint: breakpoints.setEnabled(data.id, data.action === "enable") };
  }
}

/** The error of a command that this agent does not support. */
export function notSupported(what: string, hint: string): BridgeError {
  return new BridgeError("not_supported", `this agent ${what}; ${hint}`);
}

/** `input` names the input of a held tool call. Setting a variable of that name instead would silently do nothing. */
export function noHeldCall(): BridgeError {
  return new BridgeError(
    "target_not_found",
    "no tool call is held, so there is no input to set; pause at one with: debug-bridge agent breakpoint add tool NAME",
  );
}
