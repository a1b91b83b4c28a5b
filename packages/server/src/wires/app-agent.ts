import { APP_MESSAGE_LIMITS, BridgeError } from "@debug-bridge/protocol";
import { commandSchema, decode, parseBounded } from "@debug-bridge/protocol/schemas";
import { HUB_LIMITS } from "../bounds/limits.js";
import type { Link } from "../sessions/peers/link.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { type RefusedRequest, readRequest } from "./app-frames.js";
import type { AppWireTarget } from "./app-target.js";

/** What an agent on the app wire asks for. */
export type AgentTarget = Omit<AppWireTarget, "role">;

export interface ServeAgentOptions {
  readonly id: string;
  readonly sessions: Sessions;
  /** Reports what was wrong with a message; also as the result of its request, if it was one. */
  refuse(error: BridgeError, request?: RefusedRequest): void;
}

/** What comes from the agent, over whatever connects it. */
export interface ServedAgent {
  onMessage(text: string): void;
  onClose(): void;
}

/** Serves one agent of a session: runs its commands, and sends it what it asked for. */
export function serveAgent(
  session: Session,
  link: Link,
  { name, records, deltas, quiet, since, sessions: isWatching }: AgentTarget,
  { id, sessions, refuse }: ServeAgentOptions,
): ServedAgent {
  const agent = session.addAgent(link, { id: name ? `${id}:${name}` : id, records, deltas, quiet, since });
  if (isWatching) sessions.watchers.add(agent);
  let running = 0;
  const end = (): void => {
    running--;
  };
  const run = (command: Promise<void>): void => {
    running++;
    void command.finally(end);
  };
  const control = async (text: string): Promise<void> => {
    const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
    if (parsed.ok) link.send(JSON.stringify(await session.control(parsed.value, agent.id)));
    else refuse(parsed.error);
  };
  return {
    onMessage(text) {
      if (running >= HUB_LIMITS.commandsAtOnce) refuse(tooManyCommands(), readRequest(text));
      else if (session.isFollowed) run(control(text));
      else {
        const decoded = decode(commandSchema, text, APP_MESSAGE_LIMITS);
        if (decoded.ok) run(session.fromAgent(agent, decoded.value, text));
        else refuse(decoded.error, readRequest(text));
      }
    },
    onClose() {
      sessions.watchers.delete(agent);
      session.removeAgent(agent);
      sessions.releaseIfIdle(session);
    },
  };
}

function tooManyCommands(): BridgeError {
  return new BridgeError(
    "rate_limit",
    `${HUB_LIMITS.commandsAtOnce} commands of this agent are running, which is the limit; wait for results before you send more`,
  );
}
