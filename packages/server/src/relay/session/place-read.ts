import { canBeChecked, EVALUATING, refusalMessage, withoutSideEffects } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import { contextOf } from "../clients/page-world.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession } from "../tabs/tab.js";
import { type CdpMessage, failure, type Params } from "../wire/messages.js";
import { withTimeout } from "./call-with-timeout.js";
import { CLEAN_STAND_IN, ownWorld, realWorld, STAND_IN, WORLD_PREFIX } from "./world-names.js";

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
 * run them later. So code never runs in the page's own world: another world replaces it, which sees the same
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
  if (place.kind === "none") refuse(relay, session, message, place.why);
  else if (place.kind === "page") enterStandIn(relay, session, chrome, message, place.frameId, send);
  else {
    const isStandIn = ownWorld(session, place.name) === STAND_IN;
    run(relay, session, chrome, withOneContext(message), place.name, isStandIn, send);
  }
}

/** Runs a command in a world, in the form that is safe there. */
function run(
  relay: RelayCore,
  session: ClientSession,
  chrome: ChromeSession,
  message: CdpMessage,
  world: string,
  isStandIn: boolean,
  send: Send,
): void {
  const placed = confined(chrome, message, world, isStandIn);
  if (!placed) refuse(relay, session, message, `this code (${message.method})`);
  else if (placed.method === "Runtime.callFunctionOn" && !isRecognised(placed))
    send(withTimeout(relay, chrome, placed));
  else send(placed);
}

/** Refuses a command, with the setting that refuses it. */
function refuse(relay: RelayCore, session: ClientSession, { id, method }: CdpMessage, what: string): void {
  const setBy = relay.commands.readOnlyBy(session.tab?.tabId);
  const message = setBy
    ? refusalMessage({ allowed: false, reason: "read_only" }, what, setBy)
    : `another client holds the tab's lease, and ${what} is not a read; wait until it is released`;
  const error = failure("read_only", message);
  if (EVALUATING.has(method)) session.refuseCode(id, error);
  else session.fail(id, error);
}

/** Creates the world that replaces the page's own in a frame, or finds it, and runs the command there. */
function enterStandIn(
  relay: RelayCore,
  session: ClientSession,
  chrome: ChromeSession,
  message: CdpMessage,
  frameId: string,
  send: Send,
): void {
  const isClean = isSelfContained(message);
  const worldName = realWorld(session, isClean ? CLEAN_STAND_IN : STAND_IN);
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
    const moved = { ...message, params: { ...rest, [key]: executionContextId } };
    run(relay, session, chrome, moved, worldName, !isClean, send);
  });
}

/** An object has its own context; a second one must not contradict it. */
function withOneContext(message: CdpMessage): CdpMessage {
  if (message.params.objectId === undefined || message.method !== "Runtime.callFunctionOn") return message;
  const { executionContextId: _execution, uniqueContextId: _unique, ...params } = message.params;
  return { ...message, params };
}

/**
 * The command in the form that is safe in this world; nothing when there is none. Recognised code and other code never
 * meet in one world: whichever comes first has it until the next document. The page's own world has a stand-in for each.
 */
function confined(
  { tab, roles }: ChromeSession,
  message: CdpMessage,
  world: string,
  isStandIn: boolean,
): CdpMessage | undefined {
  const { method, params } = message;
  if (!EVALUATING.has(method)) return message;
  const isTainted = isStandIn || tab.taintedWorlds.has(world);
  if (isRecognised(message) && !isTainted && roles.allows(method, params)) {
    tab.cleanWorlds.add(world);
    return message;
  }
  if (tab.cleanWorlds.has(world) || !canBeChecked(params)) return undefined;
  tab.taintedWorlds.add(world);
  return { ...message, params: { ...withoutSideEffects(method, params) } };
}

/** Whether recognised code neither takes nor returns objects of the page, which other code could be called with. */
function isSelfContained(message: CdpMessage): boolean {
  const { method, params } = message;
  if (!EVALUATING.has(method) || !isRecognised(message)) return false;
  if (method === "Runtime.evaluate") return true;
  return params.returnByValue === true && !JSON.stringify(params.arguments ?? []).includes('"objectId"');
}

/** Whether a command runs code of Playwright or Puppeteer, without V8's check. */
export function isRecognised({ params }: CdpMessage): boolean {
  return params.throwOnSideEffect === false;
}

function locate(session: ClientSession, chrome: ChromeSession, { method, params }: CdpMessage): Place {
  const ownFrame = chrome.id === undefined ? chrome.tab.targetId : frameOfChild(chrome);
  if (ownFrame === undefined) return none(`${method} in a worker`);
  const id = contextIdOf(session, chrome, method, params);
  if (id === undefined) return { kind: "page", frameId: ownFrame };
  const context = chrome.contexts.get(id);
  const name = context?.name ?? chrome.worlds.get(id);
  if (context?.auxData?.isDefault === true) {
    if (params.objectId !== undefined && EVALUATING.has(method))
      return none(`${method} on an object of the page's own code`);
    return { kind: "page", frameId: context.auxData.frameId ?? ownFrame };
  }
  if (name?.startsWith(WORLD_PREFIX) && ownWorld(session, name) !== name) return { kind: "world", name };
  return none(`${method} in a world that is not this client's`);
}

function none(why: string): Place {
  return { kind: "none", why };
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
