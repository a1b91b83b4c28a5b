import type { AgentFolder } from "@debug-bridge/journal";
import type { BreakpointCommandData, BreakpointSpec } from "@debug-bridge/protocol";
import { type CommandTarget, notSupported } from "../commands/execute-command.js";
import { type InspectWhat, snapshotOf } from "../commands/snapshot.js";
import { ForeignEvents } from "../hub/foreign-events.js";
import type { Emit, PauseState } from "../pausing/pause-state.js";
import { type Around, Checkpoints } from "../session/checkpoints.js";
import type { AgentHost } from "../types.js";
import type { ToolCalls } from "./tool-calls.js";

export interface AgentTargetOptions {
  readonly files: AgentFolder;
  readonly pauseState: PauseState;
  readonly calls: ToolCalls;
  readonly host: AgentHost;
  readonly provider: { readonly name: string; readonly model: string };
  readonly emit: Emit;
}

/** An agent in this process, as the target of commands. */
export class AgentTarget implements CommandTarget {
  readonly pauseState: PauseState;
  readonly variables: Record<string, unknown> = Object.create(null);
  /** The agents of this process, for branches. */
  private static readonly open = new Map<string, AgentTarget>();
  private readonly checkpoints: Checkpoints;
  private readonly foreign: ForeignEvents;

  constructor(private readonly options: AgentTargetOptions) {
    this.pauseState = options.pauseState;
    AgentTarget.open.set(options.files.id, this);
    this.checkpoints = new Checkpoints(options.files.blobs);
    this.foreign = new ForeignEvents(options.files.root, options.files.id, ({ type, session, data }) =>
      this.pauseState.onEvent({
        at: "event",
        iteration: this.pauseState.iteration,
        event: type,
        session,
        data,
      }),
    );
  }

  snapshot(what: InspectWhat): unknown {
    const { files, host, provider } = this.options;
    const { iteration, paused, pauseReason } = this.pauseState;
    return snapshotOf(
      {
        sessionId: files.id,
        iteration,
        paused,
        pauseReason,
        held: this.options.calls.held(),
        provider,
        variables: this.variables,
        host,
      },
      what,
    );
  }

  injectMessage({ role, content }: { role: "user" | "assistant"; content: string }): unknown {
    const { host } = this.options;
    if (!host.injectMessage)
      throw notSupported("does not accept messages", "pass host.injectMessage to createAgentDebugger");
    host.injectMessage({ role, content });
    // The response is an event, so that a replay can repeat the injection.
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
    const breakpoint = this.pauseState.breakpoints.add(spec as BreakpointSpec);
    this.foreign.keepOnly(this.pauseState.breakpoints.list());
    return { id: breakpoint.id, breakpoint };
  }

  onBreakpointsRemoved(): void {
    this.foreign.keepOnly(this.pauseState.breakpoints.list());
  }

  checkpoint(label: string | undefined): unknown {
    const { host, emit } = this.options;
    if (!host.saveState)
      throw notSupported("does not support checkpoints", "pass host.saveState to createAgentDebugger");
    const around = { variables: { ...this.variables }, workingSet: [...(host.workingSet?.() ?? [])] };
    const { id, iteration, state } = this.checkpoints.add(
      host.saveState(),
      this.pauseState.iteration,
      label,
      around,
    );
    emit("checkpoint", { checkpoint: id, label, iteration, state });
    return { checkpoint: id, label, iteration };
  }

  rewind(name: string): unknown {
    const { host, emit } = this.options;
    if (!host.restoreState)
      throw notSupported("does not support rewind", "pass host.restoreState to createAgentDebugger");
    const { checkpoint, state } = this.checkpoints.read(name);
    host.restoreState(state);
    this.restore(checkpoint.around);
    this.pauseState.rewindTo(checkpoint.iteration);
    // Held calls belong to the state that was discarded.
    this.options.calls.cancelHeld();
    emit("rewind", { checkpoint: checkpoint.id, iteration: this.pauseState.iteration });
    return { checkpoint: checkpoint.id, iteration: checkpoint.iteration };
  }

  branch(name: string): unknown {
    const { host, emit } = this.options;
    if (!host.branch)
      throw notSupported("does not support branches", "pass host.branch to createAgentDebugger");
    const { checkpoint, state } = this.checkpoints.read(name);
    const session = host.branch(state);
    AgentTarget.open.get(session)?.inherit(this, checkpoint.around);
    emit("branch", { checkpoint: checkpoint.id, session });
    return { checkpoint: checkpoint.id, session };
  }

  close(): void {
    AgentTarget.open.delete(this.options.files.id);
    this.foreign.close();
  }

  private restore({ variables, workingSet }: Around): void {
    const { host } = this.options;
    for (const key of Object.keys(this.variables)) {
      if (Object.hasOwn(variables, key)) continue;
      delete this.variables[key];
      try {
        host.setVariable?.(key, null);
      } catch {
        // A variable without a default keeps its value in the agent.
      }
    }
    for (const [key, value] of Object.entries(variables)) {
      host.setVariable?.(key, value);
      this.variables[key] = value;
    }
    host.restoreWorkingSet?.(workingSet);
  }

  /** A branch begins with what the other session has. Its breakpoints have not been hit yet. */
  private inherit(other: AgentTarget, around: Around): void {
    const { added, list } = other.pauseState.breakpoints.save();
    this.pauseState.breakpoints.restore({ added, list: list.map((one) => ({ ...one, hits: 0 })) });
    this.foreign.keepOnly(this.pauseState.breakpoints.list());
    // Its own recording has to know them.
    for (const { id, label, iteration, state } of this.checkpoints.inherit(other.checkpoints))
      this.options.emit("checkpoint", { checkpoint: id, label, iteration, state });
    this.restore(around);
  }
}
