import { BridgeError } from "@debug-bridge/protocol";
import { noHeldCall } from "../commands/execute-command.js";
import type { ToolCall } from "../types.js";
import { withMember } from "./with-member.js";

/** A tool call that is held or running. */
export interface OpenCall {
  readonly toolId: string;
  readonly name: string;
  input: unknown;
  held: boolean;
  changed: boolean;
  startedAt: number;
  readonly controller: AbortController;
  /** Makes a held call check again whether it has to wait. */
  wake: () => void;
}

/** The tool calls that are held or running. */
export class ToolCalls {
  private readonly open = new Map<string, OpenCall>();

  begin({ toolId, name, input }: ToolCall): OpenCall {
    const call: OpenCall = {
      toolId,
      name,
      input,
      held: true,
      changed: false,
      startedAt: 0,
      controller: new AbortController(),
      wake: () => {},
    };
    this.open.set(toolId, call);
    return call;
  }

  end(toolId: string): OpenCall | undefined {
    const call = this.open.get(toolId);
    this.open.delete(toolId);
    return call;
  }

  cancel(toolId: string): { toolId: string; name: string; wasRunning: boolean } {
    const call = this.open.get(toolId);
    if (!call) {
      const open = [...this.open.values()].map((one) => `${one.toolId} (${one.name})`).join(", ") || "none";
      throw new BridgeError(
        "target_not_found",
        `tool call "${toolId}" is not held or running; open calls: ${open}`,
      );
    }
    call.controller.abort(new BridgeError("cancelled", `${call.name} was cancelled by the debugger`));
    call.wake();
    return { toolId, name: call.name, wasRunning: !call.held };
  }

  /** The calls that wait, in the order in which they came. */
  held(): { toolId: string; name: string; input: unknown; changed?: boolean }[] {
    return [...this.open.values()]
      .filter(({ held }) => held)
      .map(({ toolId, name, input, changed }) => ({ toolId, name, input, ...(changed ? { changed } : {}) }));
  }

  /** Cancels the calls that are not running yet. */
  cancelHeld(): void {
    for (const { toolId, held } of [...this.open.values()]) if (held) this.cancel(toolId);
  }

  /** Changes the input of the call that is held longest: all of it (`input`) or a part (`input.path`). Ignores other keys. */
  setInput(key: string, value: unknown): { toolId: string; input: unknown } | undefined {
    const [first, ...path] = key.split(".");
    if (first !== "input") return undefined;
    const call = [...this.open.values()].find(({ held }) => held);
    if (!call) throw noHeldCall();
    call.input = withMember(call.input, path, value);
    call.changed = true;
    return { toolId: call.toolId, input: call.input };
  }
}
