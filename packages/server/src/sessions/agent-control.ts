import { randomUUID } from "node:crypto";
import { type AgentCommand, BridgeError, type Command, type HubResult } from "@debug-bridge/protocol";
import { agentCommandSchema, check, idField } from "@debug-bridge/protocol/schemas";
import { failure, success } from "./hub-results.js";

/** What an agent answers to a command. */
export interface AgentAnswer {
  readonly success?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly data?: unknown;
  /** It has not answered yet, and will when its next hook runs. */
  readonly queued?: boolean;
}

/** The way to an agent. */
export interface AgentPort {
  send(command: AgentCommand): Promise<AgentAnswer>;
}

export interface ControlContext {
  readonly sessionId: string;
  assertMayAct(): void;
  onAct(command: Command, outcome: string): void;
}

/** Gives an agent a command of its files: `{type, data}`, with a `requestId` that comes back with the answer. */
export async function controlAgent(
  input: unknown,
  port: AgentPort | undefined,
  { sessionId, assertMayAct, onAct }: ControlContext,
): Promise<HubResult> {
  const { type, data, requestId } = (typeof input === "object" && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  const id = check(idField, requestId);
  // What the answer needs of a command; an agent's commands are no commands of the app wire.
  const asked = {
    type: String(type).slice(0, 100),
    sessionId,
    ...(id.ok ? { requestId: id.value } : {}),
  } as unknown as Command;
  let outcome = "done";
  let acts = true;
  try {
    const command = check(agentCommandSchema, {
      type,
      id: randomUUID(),
      ...(data === undefined ? {} : { data }),
    });
    if (!command.ok) throw command.error;
    acts = !looks(command.value);
    if (acts) assertMayAct();
    if (!port)
      throw new BridgeError(
        "app_not_connected",
        `the agent "${sessionId}" is over; list those that run: debug-bridge sessions`,
      );
    const answer = await port.send(command.value);
    if (answer.success === false)
      throw BridgeError.fromBody({
        code: answer.code ?? "internal",
        message: answer.error ?? "the agent refused",
      });
    return success(asked, answer.queued ? { queued: true } : answer.data);
  } catch (thrown) {
    const error = BridgeError.from(thrown);
    outcome = error.code;
    return failure(asked, error);
  } finally {
    if (acts) onAct(asked, outcome);
  }
}

function looks(command: AgentCommand): boolean {
  return command.type === "inspect" || (command.type === "breakpoint" && command.data.action === "list");
}
