import { EVALUATING, withoutSideEffects } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import { contextOf } from "../clients/page-world.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession } from "../tabs/tab.js";
import { type CdpMessage, failure, type Params } from "../wire/messages.js";
import { realWorld, STAND_IN, WORLD_PREFIX } from "./world-names.js";

/** Where code is to run: in an isolated world of a client, in the page's own world, or nowhere. */
type Place =
  | { readonly kind: "world"; readonly name: string }
  | { readonly kind: "page"; readonly frameId: string }
  | { readonly kind: "none"; readonly why: string };

/** No context has this id. */
const UNKNOWN = -1;

type Send = (message: CdpMessage) => void;

/** Whether a command of a client that may only look names a world. */
export function needsPlace(method: string): boolean {
  return EVALUATING.has(method) || method === "DOM.resolveNode";
}

/**
 * Puts code of a client that may only look where it cannot reach the page. V8's check for side effects has gaps: code can
 * leave properties on objects that are made while it runs, such as the wrappers of elements, and the page's own code would
 * run them later. So code never runs in the page's own world: another world stands in for it, which sees the same
 * elements and not the page's variables. And code that is recognised as Playwright's or Puppeteer's runs without that
 * check only in a world where no other code has run.
 */
export function placeRead(
  relay: RelayCore,
  session: ClientSession,
  chrome: ChromeSession,
  message: CdpMessage,
  send: Send,
): void {
  const place = locate(session, chrome, message);
  if (place.kind === "world") send(confined(chrome, withOneContext(message), place.name));
  else if (place.kind === "none") session.fail(message.id, failure("read_only", place.why));
  else enterStandIn(relay, session, chrome, message, place.frameId, send);
}

/** Creates the world that stands in for the page's own in a frame, or finds it, and runs the command there. */
function enterStandIn(
  relay: RelayCore,
  session: ClientSession,
  chrome: ChromeSession,
  message: CdpMessage,
  frameId: string,
  send: Send,
): void {
  const worldName = realWorld(session, STAND_IN);
  relay.command(chrome, "Page.createIsolatedWorld", JSON.stringify({ frameId, worldName }), (outcome) => {
    if (!outcome.ok) {
      session.fail(message.id, outcome.error);
      return;
    }
    const { executionContextId } = JSON.parse(outcome.body) as { executionContextId: number };
    chrome.worlds.set(executionContextId, worldName);
    const {
      contextId: _context,
      executionContextId: _execution,
      uniqueContextId: _unique,
      ...rest
    } = message.params;
    const key = message.method === "Runtime.evaluate" ? "contextId" : "executionContextId";
    send(confined(chrome, { ...message, params: { ...rest, [key]: executionContextId } }, worldName));
  });
}

/** An object has its own context; a second one must not contradict it. */
function withOneContext(message: CdpMessage): CdpMessage {
  if (message.params.objectId === undefined || message.method !== "Runtime.callFunctionOn") return message;
  const { executionContextId: _execution, uniqueContextId: _unique, ...params } = message.params;
  return { ...message, params };
}

/** The command in the form that is safe in this world. Code that is not recognised taints the world. */
function confined({ tab }: ChromeSession, message: CdpMessage, world: string): CdpMessage {
  const { method, params } = message;
  if (!EVALUATING.has(method)) return message;
  const isRecognised = params.throwOnSideEffect === false;
  if (!isRecognised) tab.taintedWorlds.add(world);
  else if (tab.taintedWorlds.has(world))
    return { ...message, params: { ...withoutSideEffects(method, params) } };
  return message;
}

function locate(session: ClientSession, chrome: ChromeSession, { method, params }: CdpMessage): Place {
  const ownFrame = chrome.id === undefined ? chrome.tab.targetId : frameOfChild(chrome);
  if (ownFrame === undefined)
    return none(`${method} in a worker`, "a worker has no world apart from its own code");
  const id = contextIdOf(session, chrome, method, params);
  if (id === undefined) return { kind: "page", frameId: ownFrame };
  const context = chrome.contexts.get(id);
  const name = context?.name ?? chrome.worlds.get(id);
  if (context?.auxData?.isDefault === true) {
    if (params.objectId !== undefined && EVALUATING.has(method))
      return none(
        `${method} on an object of the page's own code`,
        "read it with Runtime.getProperties instead",
      );
    return { kind: "page", frameId: context.auxData.frameId ?? ownFrame };
  }
  if (name?.startsWith(WORLD_PREFIX)) return { kind: "world", name };
  return none(`${method} in a world that is not this client's`, "use a world of Page.createIsolatedWorld");
}

function none(what: string, advice: string): Place {
  return { kind: "none", why: `access is read-only, and ${what} is refused: ${advice}` };
}

/** Chrome's id of the context that a command names; nothing when it names none. */
function contextIdOf(
  { page }: ClientSession,
  chrome: ChromeSession,
  method: string,
  params: Params,
): number | undefined {
  const { uniqueContextId, objectId } = params;
  if (method === "Runtime.callFunctionOn" && objectId !== undefined)
    return Number(contextOf({ objectId }) ?? UNKNOWN);
  if (uniqueContextId !== undefined)
    return [...chrome.contexts.values()].find(({ uniqueId }) => uniqueId === uniqueContextId)?.id ?? UNKNOWN;
  const given = method === "Runtime.evaluate" ? params.contextId : params.executionContextId;
  return given === undefined ? undefined : page.contexts.toReal(Number(given));
}

function frameOfChild({ targetInfo }: ChromeSession): string | undefined {
  return targetInfo.type === "iframe" ? String(targetInfo.targetId) : undefined;
}
