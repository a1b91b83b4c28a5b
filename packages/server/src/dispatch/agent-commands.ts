import { randomUUID } from "node:crypto";
import {
  type AgentCommand,
  BridgeError,
  type Command,
  errorFromBody,
  type HubResult,
} from "@debug-bridge/protocol";
import { agentCommandSchema, check, commandSchema, idField } from "@debug-bridge/protocol/schemas";
import type { CommandAudit, CommandDispatcher, LeaseCommand } from "./command-dispatcher.js";
import { failure, success } from "./hub-results.js";

/** What an agent answers to a command. */
export interface AgentAnswer {
  readonly success?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly data?: unknown;
  /** It has not answered yet, and will when its next hook runs. */
  readonly queued?: boolean;
  /** The command was not written into the agent's files. */
  readonly unsent?: boolean;
}

/** The way to an agent. */
export interface AgentPort {
  send(command: AgentCommand): Promise<AgentAnswer>;
}

export interface AgentCommandContext {
  readonly sessionId: string;
  readonly client: string;
  readonly dispatcher: CommandDispatcher;
  audit(entry: CommandAudit): void;
  /** Writes a record of the timeline; returns its sequence. */
  record(type: string, json: string, causedBy?: number): number;
}

/**
 * Sends a command to an agent's files: `{type, data}`, with a `requestId` that comes back with the answer. It passes
 * the same policy and audit as every command. The agent records each command in its file, which becomes the timeline; the
 * hub itself records only commands that never reach the agent, so that each is in the timeline once.
 */
export async function runAgentCommand(
  input: unknown,
  port: AgentPort | undefined,
  { sessionId, client, dispatcher, audit, record }: AgentCommandContext,
): Promise<HubResult> {
  const { type, data, requestId } = (typeof input === "object" && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  const id = check(idField, requestId);
  // The fields that the answer repeats. A command for an agent is not a command of the app wire.
  const asked = {
    type: String(type).slice(0, 100),
    sessionId,
    ...(id.ok ? { requestId: id.value } : {}),
  } as unknown as Command;
  let outcome = "done";
  let acts = true;
  let sent = false;
  const answerOwn = (result: HubResult): HubResult => {
    const command = { ...asked, client, timestamp: result.timestamp, origin: "agent" };
    const sequence = record("command", JSON.stringify(command));
    record("command_result", JSON.stringify(result), sequence);
    return result;
  };
  try {
    if (type === "acquire_lease" || type === "release_lease")
      return answerOwn(dispatcher.changeLease(leaseCommand(input, sessionId), client));
    const command = check(agentCommandSchema, {
      type,
      id: randomUUID(),
      ...(data === undefined ? {} : { data }),
    });
    if (!command.ok) throw command.error;
    acts = !onlyLooks(command.value);
    if (acts) dispatcher.assertMayAct(client, command.value.type);
    if (!port)
      throw new BridgeError(
        "app_not_connected",
        `the agent "${sessionId}" has ended; list those that run: debug-bridge sessions`,
      );
    const answer = await dispatcher.load.during(JSON.stringify(command.value).length, () => {
      sent = true;
      return port.send(command.value);
    });
    sent = answer.unsent !== true;
    if (answer.success === false)
      throw errorFromBody({
        code: answer.code ?? "internal",
        message: answer.error ?? "the agent refused the command",
      });
    return success(asked, answer.queued ? { queued: true } : answer.data);
  } catch (thrown) {
    const error = BridgeError.from(thrown);
    outcome = error.code;
    const result = failure(asked, error);
    return sent ? result : answerOwn(result);
  } finally {
    if (acts) audit({ who: client, what: asked.type, outcome });
  }
}

/** Leases are the same for agents as for pages: the hub keeps them, and the agent does not receive them. */
function leaseCommand(input: unknown, sessionId: string): LeaseCommand {
  const command = check(commandSchema, {
    ...(input as object),
    sessionId,
    timestamp: Date.now(),
    origin: "agent",
  });
  if (!command.ok) throw command.error;
  return command.value as LeaseCommand;
}

function onlyLooks(command: AgentCommand): boolean {
  return command.type === "inspect" || (command.type === "breakpoint" && command.data.action === "list");
}
