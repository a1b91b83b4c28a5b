import { BridgeError } from "@debug-bridge/protocol";
import { noInput } from "../commands/execute-command.js";
import type { ToolCall } from "../types.js";
import { withMember } from "./with-member.js";

/** A tool call that is held before it runs, or runs. */
export interface OpenCall {
  readonly toolId: string;
  readonly name: string;
  input: unknown;
  held: boolean;
  startedAt: number;
  readonly controller: AbortController;
  /** Lets a held call look again at whether it has to wait. */
  wake: () => void;
}

/** The tool calls that are under way. */
export class ToolCalls {
  private readonly open = new Map<string, OpenCall>();

  begin({ toolId, name, input }: ToolCall): OpenCall {
    const call: OpenCall = {
      toolId,
      name,
      input,
      held: true,
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
      const there = [...this.open.values()].map((one) => `${one.toolId} (${one.name})`).join(", ") || "none";
      throw new BridgeError("target_not_found", `no tool call "${toolId}" is under way; there are: ${there}`);
    }
    call.controller.abort(new BridgeError("cancelled", `${call.name} was cancelled by the debugger`));
    call.wake();
    return { toolId, name: call.name, wasRunning: !call.held };
  }

  /** Cancels the calls that did not begin to run. */
  cancelHeld(): void {
    for (const { toolId, held } of [...this.open.values()]) if (held) this.cancel(toolId);
  }

  /** Changes the input of the call that is held longest: all of it (`input`) or a part (`input.path`). Other keys are not its matter. */
  setInput(key: string, value: unknown): { toolId: string; input: unknown } | undefined {
    const [first, ...path] = key.split(".");
    if (first !== "input") return undefined;
    const call = [...this.open.values()].find(({ held }) => held);
    if (!call) throw noInput();
    call.input = withMember(call.input, path, value);
    return { toolId: call.toolId, input: call.input };
  }
}
