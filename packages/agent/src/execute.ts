import { type AgentCommand, type BreakpointCommandData, BridgeError } from "@debug-bridge/protocol";
import type { InspectWhat } from "./snapshot.js";
import type { Stops } from "./stops.js";

/** What commands act upon: an agent in this process, or one whose hooks come by. */
export interface CommandTarget {
  readonly stops: Stops;
  snapshot(what: InspectWhat): unknown;
  injectMessage(message: { role: "user" | "assistant"; content: string }): unknown;
  /** Sets a variable, or the input of a tool call that is held; tells which. */
  setVariable(key: string, value: unknown): unknown;
  cancelTool(toolId: string): unknown;
  /** Breakpoints were taken away. */
  breakpointsGone(): void;
  addBreakpoint(spec: Extract<BreakpointCommandData, { action: "add" }>): unknown;
  checkpoint(label: string | undefined): unknown;
  rewind(checkpoint: string): unknown;
  branch(checkpoint: string): unknown;
}

/** Carries a command out. The result is the `data` of its answer; what is thrown, its error. */
export function execute(command: AgentCommand, target: CommandTarget): unknown {
  const { stops } = target;
  switch (command.type) {
    case "pause":
      stops.ask();
      return { paused: stops.paused };
    case "resume":
      return { wasPaused: stops.resume() };
    case "step":
      stops.step();
      return { iteration: stops.iteration };
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
  const { breakpoints } = target.stops;
  switch (data.action) {
    case "add":
      return target.addBreakpoint(data);
    case "list":
      return { breakpoints: breakpoints.list() };
    case "clear":
    case "clear-all": {
      const gone =
        data.action === "clear"
          ? { breakpoint: breakpoints.clear(data.id) }
          : { cleared: breakpoints.clearAll() };
      target.breakpointsGone();
      return gone;
    }
    case "enable":
    case "disable":
      return { breakpoint: breakpoints.setEnabled(data.id, data.action === "enable") };
  }
}

/** Says what the agent lacks, to whoever gave the command. */
export function cannot(what: string, cure: string): BridgeError {
  return new BridgeError("not_supported", `this agent ${what}; ${cure}`);
}

/** `input` names a tool call that is held. Taken for a variable, the call would run as if nothing had been said. */
export function noInput(): BridgeError {
  return new BridgeError(
    "target_not_found",
    "no tool call is held whose input could be set; stop at one with: debug-bridge agent breakpoint add tool NAME",
  );
}
