import type { ClientSession } from "../clients/client-session.js";
import type { Params } from "../wire/messages.js";

const PREFIX = "debug-bridge-world-";

/**
 * Names of isolated worlds. A world stays in its frame for good, also over navigations, and clients make one of a new
 * name at every connection. So each client's worlds get a name from a small stock of the tab, which the next client
 * uses again when it has left. Clients hear their own names only.
 */
export function realWorld(session: ClientSession, name: string): string {
  const { tab, setUp } = pageOf(session);
  const { worldNames } = setUp;
  if (!tab || session.client.isInside) return name;
  const known = worldNames.get(name);
  if (known !== undefined) return known;
  const taken = new Set([...tab.main.sessions].flatMap((each) => [...each.setUp.worldNames.values()]));
  let number = 1;
  while (taken.has(PREFIX + number)) number++;
  worldNames.set(name, PREFIX + number);
  return PREFIX + number;
}

/** The world in which the driver's page engine runs. */
export const ENGINE_WORLD = "debug-bridge";

/** Whether a world belongs to another client. */
export function isForeignWorld(session: ClientSession, real: string): boolean {
  return real.startsWith(PREFIX) && ownWorld(session, real) === real;
}

/** The client's name for a world; the same for one that is not of its making. */
export function ownWorld(session: ClientSession, real: string): string {
  if (!real.startsWith(PREFIX)) return real;
  for (const [own, name] of pageOf(session).setUp.worldNames) if (name === real) return own;
  return real;
}

/** The parameters with the real names of worlds; nothing when they name none. */
export function withRealWorld(session: ClientSession, method: string, params: Params): Params | undefined {
  const key =
    method === "Page.createIsolatedWorld" || method === "Page.addScriptToEvaluateOnNewDocument"
      ? "worldName"
      : method === "Runtime.addBinding"
        ? "executionContextName"
        : undefined;
  const name = key && params[key];
  if (key === undefined || typeof name !== "string" || name === "") return undefined;
  return { ...params, [key]: realWorld(session, name) };
}

/** A frame or worker shares the names of the page that it is in. */
function pageOf(session: ClientSession): ClientSession {
  let page = session;
  while (page.kind === "child" && page.parent) page = page.parent;
  return page;
}
