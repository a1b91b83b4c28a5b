import type { AgentFolder } from "@debug-bridge/journal";
import type { BreakpointCommandData, BreakpointSpec } from "@debug-bridge/protocol";
import { Checkpoints } from "../session/checkpoints.js";
import { type CommandTarget, cannot } from "../commands/execute-command.js";
import { ForeignEvents } from "../hub/foreign-events.js";
import { type InspectWhat, snapshotOf } from "../commands/snapshot.js";
import type { Emit, Stops } from "../pausing/pause-state.js";
import type { ToolCalls } from "./tool-calls.js";
import type { AgentHost } from "../types.js";

export interface AgentTargetOptions {
  readonly files: AgentFolder;
  readonly stops: Stops;
  readonly calls: ToolCalls;
  readonly host: AgentHost;
  readonly provider: { readonly name: string; readonly model: string };
  readonly emit: Emit;
}

/** An agent in this process, as commands act upon it. */
export class AgentTarget implements CommandTarget {
  readonly stops: Stops;
  readonly variables: Record<string, unknown> = Object.create(null);
  private readonly checkpoints: Checkpoints;
  private readonly foreign: ForeignEvents;

  constructor(private readonly options: AgentTargetOptions) {
    this.stops = options.stops;
    this.checkpoints = new Checkpoints(options.files.blobs);
    this.foreign = new ForeignEvents(options.files.root, options.files.id, ({ type, session, data }) =>
      this.stops.notice({ at: "event", iteration: this.stops.iteration, event: type, session, data }),
    );
  }

  snapshot(what: InspectWhat): unknown {
    const { files, host, provider } = this.options;
    const { iteration, paused } = this.stops;
    return snapshotOf(
      { sessionId: files.id, iteration, paused, provider, variables: this.variables, host },
      what,
    );
  }

  injectMessage({ role, content }: { role: "user" | "assistant"; content: string }): unknown {
    const { host } = this.options;
    if (!host.injectMessage) throw cannot("takes no messages", "pass injectMessage to createAgentDebugger");
    host.injectMessage({ role, content });
    // With the answer it is in the events, so that the run can be repeated from them.
    return { role, content };
  }

  setVariable(key: string, value: unknown): unknown {
    const { host, calls } = this.options;
    const changed = calls.setInput(key, value);
    if (changed) return changed;
    host.setVariable?.(key, value);
    this.variables[key] = value;
    return { key, value };
  }

  cancelTool(toolId: string): unknown {
    return this.options.calls.cancel(toolId);
  }

  addBreakpoint({ action: _, ...spec }: Extract<BreakpointCommandData, { action: "add" }>): unknown {
    if (spec.on === "event" && spec.session !== undefined) this.foreign.prepare(spec.session);
    const breakpoint = this.stops.breakpoints.add(spec as BreakpointSpec);
    this.foreign.keepOnly(this.stops.breakpoints.list());
    return { id: breakpoint.id, breakpoint };
  }

  breakpointsGone(): void {
    this.foreign.keepOnly(this.stops.breakpoints.list());
  }

  checkpoint(label: string | undefined): unknown {
    const { host, emit } = this.options;
    if (!host.saveState) throw cannot("keeps no checkpoints", "pass saveState to createAgentDebugger");
    const { id, iteration, state } = this.checkpoints.add(host.saveState(), this.stops.iteration, label);
    emit("checkpoint", { checkpoint: id, label, iteration, state });
    return { checkpoint: id, label, iteration };
  }

  rewind(name: string): unknown {
    const { host, emit } = this.options;
    if (!host.restoreState) throw cannot("cannot go back", "pass restoreState to createAgentDebugger");
    const { checkpoint, state } = this.checkpoints.read(name);
    host.restoreState(state);
    // What is about to run belongs to what was taken back.
    this.options.calls.cancelHeld();
    emit("rewind", { checkpoint: checkpoint.id, iteration: this.stops.iteration });
    return { checkpoint: checkpoint.id, iteration: checkpoint.iteration };
  }

  branch(name: string): unknown {
    const { host, emit } = this.options;
    if (!host.branch) throw cannot("cannot branch", "pass branch to createAgentDebugger");
    const { checkpoint, state } = this.checkpoints.read(name);
    const session = host.branch(state);
    emit("branch", { checkpoint: checkpoint.id, session });
    return { checkpoint: checkpoint.id, session };
  }

  close(): void {
    this.foreign.close();
  }
}
