import { isAlive } from "@debug-bridge/journal";
import { type BreakpointCommandData, type BreakpointSpec, BridgeError } from "@debug-bridge/protocol";
import { type CommandTarget, cannot, noInput } from "../commands/execute-command.js";
import { runningHubUrl } from "../hub/hub-url.js";
import { type InspectWhat, snapshotOf } from "../commands/snapshot.js";
import type { Stops } from "../pausing/pause-state.js";
import { withMember } from "../debugger/with-member.js";
import { readTranscript } from "./transcript.js";

/** A tool call that a hook holds. */
interface HeldCall {
  readonly toolId: string;
  readonly name: string;
  readonly input: unknown;
  /** The hook that holds it. An agent may end its hook, and the call with it. */
  readonly pid: number;
  readonly changed?: boolean;
  readonly cancelled?: boolean;
}

/** What a hook tells of its agent. */
export interface HookedAgent {
  readonly root: string;
  readonly sessionId: string;
  readonly model: string | undefined;
  /** Where the agent keeps its conversation. */
  readonly transcript: string | undefined;
}

/** What commands left behind for the hooks to come. */
export interface SavedTarget {
  readonly held: readonly HeldCall[];
  /** Messages that the agent has not been given yet. */
  readonly messages: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly startedAt: Readonly<Record<string, number>>;
  /** Names of the tools that were called: a hook is not told of the others. */
  readonly toolNames?: readonly string[];
  /** Up to when events of other sessions were looked at. */
  readonly eventsSince?: number;
  /** When the agent goes on by itself, whichever of its hooks is there then. */
  readonly deadlineAt?: number | undefined;
}

const BY_HOOKS = "a hook sees only its tools";

/** An agent behind hooks, as commands act upon it. */
export class HookTarget implements CommandTarget {
  private held: HeldCall[];
  private messages: string[];
  private variables: Record<string, unknown>;
  private startedAt: Record<string, number>;
  private readonly toolNames: string[];
  eventsSince: number;
  deadlineAt: number | undefined;

  constructor(
    private readonly about: HookedAgent,
    readonly stops: Stops,
    saved?: SavedTarget,
  ) {
    this.held = (saved?.held ?? []).filter(isAlive);
    this.messages = [...(saved?.messages ?? [])];
    this.variables = { ...saved?.variables };
    this.startedAt = { ...saved?.startedAt };
    this.toolNames = [...(saved?.toolNames ?? [])];
    this.eventsSince = saved?.eventsSince ?? 0;
    this.deadlineAt = saved?.deadlineAt;
  }

  /** The agent is about to call a tool. */
  meet(tool: string): void {
    if (!this.toolNames.includes(tool)) this.toolNames.push(tool);
  }

  hold(call: { toolId: string; name: string; input: unknown }): void {
    if (!this.find(call.toolId)) this.held.push({ ...call, pid: process.pid });
  }

  /** The call goes on, or not; what was decided about it meanwhile. */
  release(toolId: string): HeldCall | undefined {
    const call = this.find(toolId);
    this.held = this.held.filter((one) => one.toolId !== toolId);
    return call;
  }

  isCancelled(toolId: string): boolean {
    return this.find(toolId)?.cancelled ?? false;
  }

  /** The messages that wait for the agent; they are given once. */
  takeMessages(): string | undefined {
    const text = this.messages.join("\n\n");
    this.messages = [];
    return text === "" ? undefined : text;
  }

  started(toolId: string): void {
    this.startedAt[toolId] = Date.now();
  }

  /** How long a call took, as far as hooks can tell. */
  ended(toolId: string): number | undefined {
    const { [toolId]: at, ...others } = this.startedAt;
    this.startedAt = others;
    return at === undefined ? undefined : Date.now() - at;
  }

  snapshot(what: InspectWhat): unknown {
    const { iteration, paused } = this.stops;
    const { sessionId, model, transcript } = this.about;
    const needed = what === "messages" || what === "context" || what === "all";
    const messages = needed ? readTranscript(transcript) : [];
    return {
      ...snapshotOf(
        {
          sessionId,
          iteration,
          paused,
          provider: { name: "hook", model: model ?? "unknown" },
          variables: this.variables,
          host: { messages: () => messages, tools: () => this.toolNames },
        },
        what,
      ),
      held: this.held,
      waitingMessages: this.messages,
    };
  }

  injectMessage({ role, content }: { role: "user" | "assistant"; content: string }): unknown {
    if (role !== "user") throw cannot(`takes no messages of the ${role}`, "inject one of the user");
    this.messages.push(content);
    return { role, content };
  }

  setVariable(key: string, value: unknown): unknown {
    const [first, ...path] = key.split(".");
    if (first === "input") {
      const call = this.held[0];
      if (!call) throw noInput();
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
      const there = this.held.map((one) => `${one.toolId} (${one.name})`).join(", ") || "none";
      throw new BridgeError("target_not_found", `no tool call "${toolId}" is held; there are: ${there}`);
    }
    this.held = this.held.map((one) => (one === call ? { ...call, cancelled: true } : one));
    return { toolId, name: call.name, wasRunning: false };
  }

  addBreakpoint({ action: _, ...spec }: Extract<BreakpointCommandData, { action: "add" }>): unknown {
    if (spec.on === "event" && spec.session !== undefined && runningHubUrl(this.about.root) === undefined)
      throw new BridgeError(
        "session_not_found",
        `no hub runs that could tell of events of "${spec.session}"; start one with: debug-bridge up`,
      );
    // What happened before is nothing to stop at.
    if (spec.on === "event") this.eventsSince = Math.max(this.eventsSince, Date.now());
    const breakpoint = this.stops.breakpoints.add(spec as BreakpointSpec);
    return { id: breakpoint.id, breakpoint };
  }

  breakpointsGone(): void {}

  checkpoint(): unknown {
    throw cannot("keeps no checkpoints", BY_HOOKS);
  }

  rewind(): unknown {
    throw cannot("cannot go back", BY_HOOKS);
  }

  branch(): unknown {
    throw cannot("cannot branch", BY_HOOKS);
  }

  save(): SavedTarget {
    const { held, messages, variables, startedAt, toolNames, eventsSince, deadlineAt } = this;
    return { held, messages, variables, startedAt, toolNames, eventsSince, deadlineAt };
  }

  private find(toolId: string): HeldCall | undefined {
    return this.held.find((one) => one.toolId === toolId);
  }
}
