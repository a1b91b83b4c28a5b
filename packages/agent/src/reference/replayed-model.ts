import { BridgeError } from "@debug-bridge/protocol";
import type { Replayer } from "../replay/replayer.js";
import type { Message } from "../types.js";
import type { Turn, TurnModel } from "./script.js";

/** A model that repeats its recorded answers. */
export class ReplayedModel implements TurnModel {
  readonly provider: string;
  readonly model: string;
  at = 0;

  constructor(private readonly replayer: Replayer) {
    ({ provider: this.provider, model: this.model } = replayer.recording);
  }

  get isDone(): boolean {
    return this.replayer.isDone;
  }

  async next(messages: readonly Message[]): Promise<Turn> {
    this.at++;
    return turnOf(this.replayer.answer(messages).content);
  }

  branchAt(): TurnModel {
    throw new BridgeError("not_supported", "a replayed run cannot branch; branch a new run instead");
  }
}

function turnOf(content: unknown): Turn {
  const [call] = (Array.isArray(content) ? content : []) as {
    type?: string;
    name?: string;
    input?: unknown;
  }[];
  if (call?.type === "tool_use" && typeof call.name === "string")
    return { tool: call.name, input: (call.input ?? {}) as Record<string, unknown>, delayMs: 0 };
  return { text: typeof content === "string" ? content : JSON.stringify(content ?? ""), delayMs: 0 };
}
