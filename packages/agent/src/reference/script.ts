import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "@debug-bridge/protocol";
import type { Message } from "../types.js";

/** What a model answers in one turn: text, or a tool call. */
export type Turn =
  | { readonly text: string; readonly delayMs: number }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly delayMs: number };

const MAX_DELAY_MS = 600_000;

/** A model that answers turn by turn until it is done. */
export interface TurnModel {
  readonly provider: string;
  readonly model: string;
  /** Index of the next turn. */
  at: number;
  readonly isDone: boolean;
  next(messages: readonly Message[]): Promise<Turn>;
  /** A copy that continues from a turn, for another run. */
  branchAt(turn: number): TurnModel;
}

/** A model that answers with the turns of a script. */
export class ScriptedModel implements TurnModel {
  readonly provider = "script";

  constructor(
    readonly model: string,
    private readonly turns: readonly Turn[],
    public at = 0,
  ) {}

  branchAt(turn: number): ScriptedModel {
    return new ScriptedModel(this.model, this.turns, turn);
  }

  get isDone(): boolean {
    return this.at >= this.turns.length;
  }

  async next(): Promise<Turn> {
    const turn = this.turns[this.at];
    if (!turn) throw new BridgeError("internal", "the script has no more turns");
    this.at++;
    if (turn.delayMs > 0) await sleep(turn.delayMs);
    return turn;
  }
}

/** Reads a script: a JSON array of turns. */
export function readScript(path: string): Turn[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    throw new BridgeError(
      "invalid_message",
      `the script ${path} cannot be read: ${(thrown as Error).message}`,
    );
  }
  if (!Array.isArray(value)) throw wrong(path, "it is not an array");
  return value.map((turn, i) => readTurn(turn, (what) => wrong(path, `turn ${i + 1} ${what}`)));
}

function readTurn(value: unknown, refuse: (what: string) => BridgeError): Turn {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("is not an object");
  const { text, tool, input = {}, delayMs = 0 } = value as Record<string, unknown>;
  if (typeof delayMs !== "number" || !(delayMs >= 0 && delayMs <= MAX_DELAY_MS))
    throw refuse(`has a delayMs that is not between 0 and ${MAX_DELAY_MS}`);
  if (typeof text === "string" && tool === undefined) return { text, delayMs };
  if (typeof tool !== "string" || text !== undefined) throw refuse("has neither text nor a tool, or both");
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw refuse("has an input that is not an object");
  return { tool, input: input as Record<string, unknown>, delayMs };
}

function wrong(path: string, what: string): BridgeError {
  return new BridgeError(
    "invalid_message",
    `the script ${path} is not valid: ${what}; a script is an array of {"text": "…"} and {"tool": "read_file", "input": {"path": "…"}}`,
  );
}
