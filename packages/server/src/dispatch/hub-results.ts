import type { BridgeError, Command, HubResult } from "@debug-bridge/protocol";

/** What every message of the hub itself carries. */
export function fromHub(sessionId: string): { sessionId: string; timestamp: number; origin: "hub" } {
  return { sessionId, timestamp: Date.now(), origin: "hub" };
}

/** The hub's own answer to a command that succeeded. */
export function success(command: Command, value?: unknown): HubResult {
  return { ...result(command), success: true, ...(value === undefined ? {} : { value }) };
}

/** The hub's own answer to a command that never reached an app, or whose app disconnected. */
export function failure(command: Command, error: BridgeError): HubResult {
  return { ...result(command), ...error.toCommandResult() } as HubResult;
}

function result(command: Command) {
  return {
    ...fromHub(command.sessionId),
    type: "command_result" as const,
    requestType: command.type,
    ...(command.requestId === undefined ? {} : { requestId: command.requestId }),
  };
}
