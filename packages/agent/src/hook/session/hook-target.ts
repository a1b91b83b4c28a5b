import { isAlive } from "@debug-bridge/journal";
import { type BreakpointCommandData, type BreakpointSpec, BridgeError } from "@debug-bridge/protocol";
import { type CommandTarget, noHeldCall, notSupported } from "../../commands/execute-command.js";
import { type InspectWhat, snapshotOf } from "../../commands/snapshot.js";
import { withMember } from "../../debugger/with-member.js";
import { runningHubUrl } from "../../hub/hub-url.js";
import type { PauseState } from "../../pausing/pause-state.js";
import { readTranscript } from "../transcript/transcript.js";

/** A tool call that a hook holds. */
interface HeldCall {
  readonly toolId: string;
  readonly name: string;
  readonly input: unknown;
  readonly subagent?: string;
  readonly subagentId?: string;
  /** Process id of the hook that holds it. If the agent ends that hook, the call ends too. */
  readonly pid: number;
  readonly changed?: boolean;
  readonly cancelled?: boolean;
}

/** What a hook knows about its agent. */
export interface HookedAgent {
  readonly root: string;
  readonly sessionId: string;
  /** Name of the agent, such as `claude-code`. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** Where the agent keeps its conversation. */
  readonly transcript: string | undefined;
}

/** The state that one hook saves for the next. */
export interface SavedTarget {
  readonly held: readonly HeldCall[];
  /** Injected messages that the agent has not received yet. */
  readonly messages: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly startedAt: Readonly<Record<string, number>>;
  /** Names of the tools that were called. A hook does not know the others. */
  readonly toolNames?: readonly string[];
  /** Time up to which events of other sessions were checked. */
  readonly eventsSince?: number;
  /** When the agent resumes automatically, whichever of its hooks runs then. */
  readonly deadlineAt?: number | undefined;
  readonly pause?: HookPause | undefined;
  readonly unattended?: boolean;
}

/** Which hook paused the agent. Another one takes over when it is gone. */
export interface HookPause {
  readonly number: number;
  readonly pid: number;
}

const HOOKS_ONLY = "a hook sees only tool calls, not the state of the agent";

/** An agent that is debugged through hooks, as the target of commands. */
export class HookTarget implements CommandTarget {
  private held: HeldCall[];
  private messages: string[];
  private variables: Record<string, unknown>;
  private startedAt: Record<string, number>;
  private readonly toolNames: string[];
  eventsSince: number;
  deadlineAt: number | undefined;
  /** Nobody answered, or the debugger died: calls are not held again until somebody sends a command. */
  unattended: boolean;
  private pause: HookPause | undefined;

  constructor(
    private readonly about: HookedAgent,
    readonly pauseState: PauseState,
    saved?: SavedTarget,
  ) {
    this.held = (saved?.held ?? []).filter(isAlive);
    this.messages = [...(saved?.messages ?? [])];
    this.variables = { ...saved?.variables };
    this.startedAt = { ...saved?.startedAt };
    this.toolNames = [...(saved?.toolNames ?? [])];
    this.eventsSince = saved?.eventsSince ?? 0;
    this.deadlineAt = saved?.deadlineAt;
    this.pause = saved?.pause;
    this.unattended = saved?.unattended ?? false;
  }

  /** Whether no call is held and no message waits for the agent. */
  get isIdle(): boolean {
    return this.held.length === 0 && this.messages.length === 0;
  }

  /** The number of the current or last pause. */
  get pauseNumber(): number {
    return this.pause?.number ?? 0;
  }

  /** Begins a pause that belongs to this hook; returns its number. */
  beginPause(): number {
    this.pause = { number: this.pauseNumber + 1, pid: process.pid };
    return this.pause.number;
  }

  /** Takes over a pause whose hook is gone; returns its number, or undefined while that hook is waiting. */
  takeOverPause(): number | undefined {
    const { pause } = this;
    if (pause && pause.pid > 0 && isAlive(pause)) return undefined;
    this.pause = { number: this.pauseNumber, pid: process.pid };
    return this.pauseNumber;
  }

  /** Leaves the pause to the next hook that is held: the call was cancelled, and the agent is still paused. */
  leavePause(): void {
    if (this.pause?.pid === process.pid) this.pause = { ...this.pause, pid: 0 };
  }

  /** Remembers the name of a tool that the agent calls. */
  recordToolName(tool: string): void {
    if (!this.toolNames.includes(tool)) this.toolNames.push(tool);
  }

  hold(call: Pick<HeldCall, "toolId" | "name" | "input" | "subagent" | "subagentId">): void {
    const { toolId, name, input, subagent, subagentId } = call;
    if (this.find(toolId)) return;
    const from =
      subagent === undefined ? {} : { subagent, ...(subagentId === undefined ? {} : { subagentId }) };
    this.held.push({ toolId, name, input, ...from, pid: process.pid });
  }

  /** Stops holding a call; returns what commands changed about it. */
  release(toolId: string): HeldCall | undefined {
    const call = this.find(toolId);
    this.held = this.held.filter((one) => one.toolId !== toolId);
    return call;
  }

  isCancelled(toolId: string): boolean {
    return this.find(toolId)?.cancelled ?? false;
  }

  /** Returns the waiting messages, once. */
  drainMessages(): string | undefined {
    const text = this.messages.join("\n\n");
    this.messages = [];
    return text === "" ? undefined : text;
  }

  recordStart(toolId: string, at: number): void {
    this.startedAt[toolId] = at;
  }

  /** Returns how long a call took, measured between its two hooks. */
  recordEnd(toolId: string, at: number): number | undefined {
    const { [toolId]: startedAt, ...others } = this.startedAt;
    this.startedAt = others;
    return startedAt === undefined ? undefined : Math.max(0, at - startedAt);
  }

  snapshot(what: InspectWhat): unknown {
    const { iteration, paused, pauseReason } = this.pauseState;
    const { sessionId, agent, model, transcript } = this.about;
    const needed = what === "messages" || what === "context" || what === "all";
    const messages = needed ? readTranscript(transcript) : [];
    return {
      ...snapshotOf(
        {
          sessionId,
          iteration,
          paused,
          pauseReason,
          held: this.held.map(({ pid: _, ...call }) => call),
          provider: { name: agent ?? "hook", model: model ?? "unknown" },
          variables: this.variables,
          host: { messages: () => messages, tools: () => this.toolNames },
        },
        what,
      ),
      waitingMessages: this.messages,
    };
  }

  injectMessage({ role, content }: { role: "user" | "assistant"; content: string }): unknown {
    if (role !== "user") throw notSupported(`does not accept ${role} messages`, "inject a user message");
    this.messages.push(content);
    return { role, content };
  }

  setVariable(key: string, value: unknown): unknown {
    const [first, ...path] = key.split(".");
    if (first === "input") {
      const call = this.held[0];
      if (!call) throw noHeldCall();
      const changed = { ...call, input: withMember(call.input, path, value), changed: true };
      this.held[0] = changed;
      return { toolId: changed.toolId, input: changed.input };
    }
    this.variables[key] = value;
    return { key, value };
  }

  cancelTool(toolId: string): unknown {
    const call = this.find(toolId);
    if (!call) {
      const held = this.held.map((one) => `${one.toolId} (${one.name})`).join(", ") || "none";
      throw new BridgeError("target_not_found", `no tool call "${toolId}" is held; held calls: ${held}`);
    }
    this.held = this.held.map((one) => (one === call ? { ...call, cancelled: true } : one));
    return { toolId, name: call.name, wasRunning: false };
  }

  addBreakpoint({ action: _, ...spec }: Extract<BreakpointCommandData, { action: "add" }>): unknown {
    if (spec.on === "event" && spec.session !== undefined && runningHubUrl(this.about.root) === undefined)
      throw new BridgeError(
        "session_not_found",
        `events of "${spec.session}" come from a hub, and none is running; start one with: debug-bridge up`,
      );
    // Earlier events do not count.
    if (spec.on === "event") this.eventsSince = Math.max(this.eventsSince, Date.now());
    const breakpoint = this.pauseState.breakpoints.add(spec as BreakpointSpec);
    return { id: breakpoint.id, breakpoint };
  }

  onBreakpointsRemoved(): void {}

  checkpoint(): unknown {
    throw notSupported("does not support checkpoints", HOOKS_ONLY);
  }

  rewind(): unknown {
    throw notSupported("does not support rewind", HOOKS_ONLY);
  }

  branch(): unknown {
    throw notSupported("does not support branches", HOOKS_ONLY);
  }

  save(): SavedTarget {
    const { held, messages, variables, startedAt, toolNames, eventsSince, deadlineAt, pause, unattended } =
      this;
    return {
      ...{ held, messages, variables, startedAt, toolNames, eventsSince, deadlineAt, pause },
      ...(unattended ? { unattended } : {}),
    };
  }

  private find(toolId: string): HeldCall | undefined {
    return this.held.find((one) => one.toolId === toolId);
  }
}
