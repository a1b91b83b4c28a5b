import {
  APP_MESSAGE_LIMITS,
  type Command,
  type CommandResult,
  errorFromBody,
  type HubResult,
  httpStatusOf,
  readActionList,
} from "@debug-bridge/protocol";
import { check, commandSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Session } from "../../sessions/session.js";

type Result = CommandResult | HubResult;

/** A body and the status to send it with. */
export interface CommandAnswer {
  readonly body: object;
  readonly status: ContentfulStatusCode;
}

/** Runs what was posted: one command, or `{"actions": [...]}`, which ends at the first failure. */
export async function runPosted(session: Session, text: string, client: string): Promise<CommandAnswer> {
  const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
  if (!parsed.ok) throw parsed.error;
  if (session.isFollowed) return oneAnswer(await session.control(parsed.value, client));
  const { actions } = (parsed.value ?? {}) as { actions?: unknown };
  if (actions === undefined)
    return oneAnswer(await session.command(readCommand(parsed.value, session), client));
  const commands = readActionList(actions, (action) => readCommand(action, session));
  const results: Result[] = [];
  for (const command of commands) {
    const result = await session.command(command, client);
    results.push(result);
    if (!result.success) break;
  }
  const status = statusOf(results.at(-1) as Result);
  return { body: { results, notRun: commands.length - results.length }, status };
}

function readCommand(given: unknown, session: Session): Command {
  const wire = { sessionId: session.id, timestamp: Date.now(), origin: "agent" };
  const command = check(commandSchema, { ...(given as object), ...wire });
  if (!command.ok) throw command.error;
  return command.value;
}

function oneAnswer(result: Result): CommandAnswer {
  return { body: result, status: statusOf(result) };
}

/** An app's answer has status 200, even a failure; what the hub refuses has the status of its error. */
function statusOf(result: Result): ContentfulStatusCode {
  if (result.success || result.origin === "app") return 200;
  return httpStatusOf(errorFromBody({ code: result.error })) as ContentfulStatusCode;
}
