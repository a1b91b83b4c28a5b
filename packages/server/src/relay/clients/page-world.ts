import type { Params } from "../wire/messages.js";
import type { ClientSession } from "./client-session.js";

/** V8 writes the id of the context into the ids of its objects: `isolate.context.object`. */
const OBJECT_ID = /^-?\d+\.(\d+)\.\d+$/;

/**
 * Whether code runs in the page's own world. Playwright and Puppeteer look at pages from isolated worlds; code of the
 * user runs in the page's.
 */
export function runsInPageWorld(session: ClientSession, method: string, params: Params): boolean {
  const contextId = method === "Runtime.evaluate" ? params.contextId : contextOf(params);
  if (typeof contextId !== "number") return true;
  const own = session.page.contexts.worldOf(contextId);
  if (own !== undefined) return own === "";
  return session.chrome?.contexts.get(contextId)?.auxData?.isDefault !== false;
}

/** The context that a function is called in. An object decides before an id, as it does in Chrome. */
export function contextOf({ executionContextId, objectId }: Params): unknown {
  if (objectId === undefined) return executionContextId;
  const found = typeof objectId === "string" ? OBJECT_ID.exec(objectId)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}
