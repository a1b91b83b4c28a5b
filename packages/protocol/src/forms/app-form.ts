import { BridgeError, errorFromBody } from "../errors.js";
import { APP_COMMANDS } from "../names.js";
import type { Incoming, WireForm } from "../peer/responder.js";
import type { Command, CommandInput } from "../schema/app/commands.js";
import type { HubMessage } from "../schema/app/hub.js";
import type { CommandResult } from "../schema/app/results.js";
import type { Telemetry } from "../schema/app/telemetry.js";

/** What an app answers to a command, without what the wire adds. */
export type CommandOutcome = Omit<
  CommandResult,
  | "type"
  | "sessionId"
  | "timestamp"
  | "origin"
  | "seq"
  | "requestType"
  | "requestId"
  | "instanceId"
  | "success"
  | "error"
>;

/** Taken at load: in a page, the app may replace `JSON` later. */
const parseJson = JSON.parse;
const COMMANDS: ReadonlySet<string> = new Set(APP_COMMANDS);

interface AnyMessage {
  readonly type?: unknown;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
}

function parse(data: string): AnyMessage {
  const message: unknown = parseJson(data);
  if (typeof message !== "object" || message === null || typeof (message as AnyMessage).type !== "string") {
    throw new BridgeError("invalid_message", "a message is an object with a type", { field: "type" });
  }
  return message as AnyMessage;
}

/** The app wire as an app speaks it: commands come in, results go out, the hub's own messages are events. */
export function appSideForm(
  sessionId: string,
  instanceId?: string,
): WireForm<Command, CommandOutcome, HubMessage> {
  const result = (id: string | undefined, body: Command, fields: object): object => ({
    sessionId,
    timestamp: Date.now(),
    origin: "app",
    type: "command_result",
    requestType: body.type,
    ...(id === undefined ? {} : { requestId: id }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...fields,
  });
  return {
    read(data): Incoming<Command, CommandOutcome, HubMessage> {
      const message = parse(data);
      if (message.type === "cancel") return { kind: "cancel", id: String(message.requestId) };
      if (!COMMANDS.has(message.type as string)) return { kind: "event", event: message as HubMessage };
      const body = message as Command;
      return { kind: "request", id: message.requestId, body, idempotencyKey: message.idempotencyKey };
    },
    request: () => {
      throw new BridgeError("not_supported", "an app sends no commands");
    },
    reply: (id, body, outcome) => result(id, body, { success: true, ...outcome }),
    failure: (id, body, error) => result(id, body, error.toCommandResult()),
  };
}

/** What reaches an agent besides answers to its own commands. */
export type AgentSideEvent = Telemetry | CommandResult | Exclude<HubMessage, { type: "command_result" }>;

/** The app wire as an agent speaks it: commands go out, results come in, telemetry and the hub's messages are events. */
export function agentSideForm(sessionId: string): WireForm<CommandInput, CommandResult, AgentSideEvent> {
  const refuse = (): never => {
    throw new BridgeError("not_supported", "an agent answers no commands");
  };
  return {
    read(data): Incoming<CommandInput, CommandResult, AgentSideEvent> {
      const message = parse(data);
      if (message.type !== "command_result") return { kind: "event", event: message as AgentSideEvent };
      const result = message as CommandResult;
      const id = String(result.requestId);
      if (result.success) return { kind: "reply", id, reply: result };
      const { error: code, message: text, details } = result;
      return { kind: "failure", id, error: errorFromBody({ code, message: text, details }) };
    },
    request: (id, body, idempotencyKey) => ({
      ...body,
      sessionId,
      timestamp: Date.now(),
      origin: "agent",
      requestId: id,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }),
    reply: refuse,
    failure: refuse,
    cancel: (id) => ({ sessionId, timestamp: Date.now(), origin: "agent", type: "cancel", requestId: id }),
  };
}
