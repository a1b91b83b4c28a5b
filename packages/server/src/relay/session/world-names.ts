import { randomBytes } from "node:crypto";
import type { ClientSession } from "../clients/client-session.js";
import type { Params } from "../wire/messages.js";

export const WORLD_PREFIX = "debug-bridge-world-";
/** Worlds that an earlier hub left in a page are not used again: what ran in them is not known. */
const RUN_PREFIX = `${WORLD_PREFIX}${randomBytes(4).toString("hex")}-`;
/** A world that replaces the page's own where a client may only look. Clients do not see it. */
export const STAND_IN = "debug-bridge-stand-in";
/** The same for code of Playwright and Puppeteer: see place-read.ts. */
export const CLEAN_STAND_IN = "debug-bridge-clean-stand-in";

/**
 * Names of isolated worlds. A world stays in its frame for ever, even across navigations, and clients create one with a
 * new name at every connection. So the worlds of each client get names from a small pool of the tab, which are reused
 * when the client has left. Clients see only their own names.
 */
export function realWorld(session: ClientSession, name: string): string {
  const { tab, setUp } = pageOf(session);
  const { worldNames } = setUp;
  if (!tab || session.client.isInside) return name;
  const known = worldNames.get(name);
  if (known !== undefined) return known;
  const taken = new Set([...tab.main.sessions].flatMap((each) => [...each.setUp.worldNames.values()]));
  // A world that a client who may only look has used is for that client alone: see place-read.ts.
  for (const used of [...tab.taintedWorlds, ...tab.cleanWorlds]) taken.add(used);
  let number = 1;
  while (taken.has(RUN_PREFIX + number)) number++;
  worldNames.set(name, RUN_PREFIX + number);
  return RUN_PREFIX + number;
}

/** The world in which the driver's page engine runs. */
export const ENGINE_WORLD = "debug-bridge";

/** The client's name for a world; unchanged for a world that it did not create. */
export function ownWorld(session: ClientSession, real: string): string {
  if (!real.startsWith(WORLD_PREFIX)) return real;
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
