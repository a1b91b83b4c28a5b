import {
  type AccessClass,
  type BridgeError,
  classifyCdpMethod,
  clientOfRun,
  EVALUATING,
  judgeCdp,
  readOnlyForm,
  refusalCode,
  refusalMessage,
} from "@debug-bridge/protocol";
import type { RelayCore } from "../relay-core.js";
import { pageTargetId } from "../targets/target-info.js";
import { type CdpFailure, type CdpMessage, failure, type Params } from "../wire/messages.js";
import type { ClientSession } from "./client-session.js";
import { runsInPageWorld } from "./page-world.js";

/** A command of a CDP client, as the hub's dispatcher sees it. */
export interface CdpCommand {
  readonly client: string;
  readonly kind: AccessClass;
  readonly method: string;
  readonly params: Params;
  /** The tab that it concerns; none for what concerns the whole browser. */
  readonly tabId: number | undefined;
}

/** Who allows clients to look and not to act. */
type ReadOnlyBy = "hub" | "person";

/** The hub's policy, timeline and audit log, for commands of CDP clients. */
export interface CommandPort {
  /** Who set read-only for a tab, or for the whole browser; `undefined` when clients may act. */
  readOnlyBy(tabId: number | undefined): ReadOnlyBy | undefined;
  /** Why a command is refused; `undefined` when it is allowed. */
  decide(command: CdpCommand): BridgeError | undefined;
  /** Asks the person, if a command is refused only because they were not asked yet. */
  ask(command: CdpCommand): void;
  /** Records a command; the returned function records how it ended. */
  begin(command: CdpCommand): (error?: CdpFailure) => void;
  /** Writes a refusal that concerns no recorded command into the audit log. */
  auditRefusal(client: string, method: string, error: CdpFailure): void;
}

/** Advice for methods that no client may use and that Playwright and Puppeteer have another way for. */
const ADVICE: Readonly<Record<string, string>> = {
  "Target.createBrowserContext":
    "the relay has one browser context, the profile of the person; use browser.contexts()[0] instead of a new one",
};

/**
 * Passes every command of a client on a socket to the policy. Returns the message to run, which for a client that may
 * only look can be a harmless form of it; or nothing when it was answered here.
 */
export function admitCommand(
  relay: RelayCore,
  session: ClientSession,
  message: CdpMessage,
): CdpMessage | undefined {
  // Parts of the hub run commands that were admitted on the app wire.
  if (session.client.isInside) return message;
  const { id, method, params } = message;
  const kind = classifyCdpMethod(method);
  const tabId = tabOf(relay, session, params);
  const command: CdpCommand = { client: clientName(session), kind, method, params, tabId };
  const beyond = beyondTheLock(relay, tabId, message);
  if (beyond) {
    session.track(id, relay.commands.begin(command));
    session.fail(id, beyond);
    return undefined;
  }
  const readOnlyBy = relay.commands.readOnlyBy(tabId);
  if (kind === "look" && !readOnlyBy) return message;
  const refusal = readOnlyBy && kind !== "never" ? readOnlyBy : relay.commands.decide(command);
  if (refusal) return admitRead(relay, session, message, command, refusal);
  const isRecorded = EVALUATING.has(method)
    ? runsInPageWorld(session, method, params)
    : kind === "profile" || readOnlyForm(method, params).kind === "refuse";
  if (isRecorded) session.track(id, relay.commands.begin(command));
  return message;
}

/** Why a command is refused in a tab that the person locked to a site. The extension judges it again with its own state. */
function beyondTheLock(
  relay: RelayCore,
  tabId: number | undefined,
  { method, params }: CdpMessage,
): CdpFailure | undefined {
  const access = tabId === undefined ? undefined : relay.tabs.get(tabId)?.access;
  if (access?.level !== "site") return undefined;
  const { level, site = "" } = access;
  const verdict = judgeCdp(method, params, { level, site, grants: "all" });
  return verdict.allowed || verdict.reason === "never"
    ? undefined
    : failure(refusalCode(verdict), refusalMessage(verdict, method));
}

/** A command of a client that may only look, in its harmless form; it is answered here when it has none. */
function admitRead(
  relay: RelayCore,
  session: ClientSession,
  message: CdpMessage,
  command: CdpCommand,
  why: ReadOnlyBy | BridgeError,
): CdpMessage | undefined {
  const { id, method, params } = message;
  const verdict = judgeCdp(method, params, { level: "read-only", grants: "all", code: "placed" });
  if (verdict.allowed && !verdict.acknowledge)
    return { ...message, params: { ...(verdict.params ?? params) }, onlyLooks: true };
  if (verdict.allowed) session.reply(id);
  else {
    relay.commands.ask(command);
    session.track(id, relay.commands.begin(command));
    const error =
      typeof why === "string"
        ? failure(
            refusalCode(verdict),
            refusalMessage(verdict, EVALUATING.has(method) ? `this code (${method})` : method, why),
          )
        : failure(why.code, ADVICE[method] ?? why.message);
    if (EVALUATING.has(method)) session.refuseCode(id, error);
    else session.fail(id, error);
  }
  return undefined;
}

/** What the audit log and the timeline call a client. */
export function clientName({ client }: ClientSession): string {
  return clientOfRun(`cdp:${client.name}`, client.runId);
}

function tabOf(relay: RelayCore, { tab, kind }: ClientSession, { targetId }: Params): number | undefined {
  if (kind !== "browser" || typeof targetId !== "string") return tab?.tabId;
  return relay.byTarget.get(pageTargetId(targetId).pageId)?.tabId;
}
