import type { Done } from "../../wires/extension/extension-rpc.js";
import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import { type CdpMessage, failure, METHOD_NOT_FOUND, type Params, SESSION_GONE } from "../wire/messages.js";
import {
  BROWSER_CONTEXT_ID,
  BROWSER_TARGET_ID,
  browserInfo,
  pageInfo,
  pageTargetId,
  passes,
  readFilter,
  tabInfo,
} from "./target-info.js";

interface Asked {
  readonly relay: RelayCore;
  /** The session on the browser that the command is for. */
  readonly session: ClientSession;
  /** The session that asked and is answered. */
  readonly asker: ClientSession;
  readonly id: number;
  readonly params: Params;
}

/** Runs a command of the browser: answered from what the relay knows, or done by the extension. */
export function runBrowserCommand(
  relay: RelayCore,
  session: ClientSession,
  command: CdpMessage,
  asker = session,
): void {
  const { id, method, params } = command;
  const handler = COMMANDS[method];
  if (handler) handler({ relay, session, asker, id, params });
  else {
    const advice =
      asker === session && !method.startsWith("Browser.")
        ? "on the browser's session; send it to a page's session"
        : "";
    const message = `'${method}' wasn't found: the relay does not offer it ${advice}`.trim();
    asker.fail(id, { code: METHOD_NOT_FOUND, message });
  }
}

type Handler = (asked: Asked) => void;

const COMMANDS: Record<string, Handler> = {
  "Browser.getVersion": ({ relay, asker, id }) => asker.reply(id, relay.version()),

  "Browser.setDownloadBehavior"({ relay, session, asker, id, params }) {
    const { downloadPath } = params;
    const problem = downloadPath === undefined ? undefined : relay.files.problem(String(downloadPath));
    if (problem) return asker.fail(id, failure("not_supported", problem));
    session.wants.downloads = params;
    asker.reply(id);
  },
  "Browser.cancelDownload"({ relay, asker, id, params }) {
    relay.downloads.cancel(String(params.guid));
    asker.reply(id);
  },
  "Browser.grantPermissions": (asked) => setPermissions(asked, asked.params.permissions, "allow"),
  "Browser.setPermission"(asked) {
    const { permission, setting } = asked.params;
    const wanted = setting === "granted" ? "allow" : setting === "denied" ? "block" : "ask";
    setPermissions(asked, [(permission as Params | undefined)?.name], wanted);
  },
  "Browser.resetPermissions"({ relay, asker, id }) {
    const params = JSON.stringify({ client: asker.client.name });
    relay.extension.request("resetPermissions", params, (outcome) =>
      outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
    );
  },

  "Target.getBrowserContexts": ({ asker, id }) =>
    asker.reply(id, { browserContextIds: [BROWSER_CONTEXT_ID], defaultBrowserContextId: BROWSER_CONTEXT_ID }),
  "Target.getTargets"({ relay, asker, id, params }) {
    const filter = readFilter(params);
    asker.reply(id, { targetInfos: allInfos(relay, asker).filter(({ type }) => passes(filter, type)) });
  },
  "Target.getTargetInfo"({ relay, asker, id, params }) {
    const targetId = params.targetId ?? asker.tab?.targetId ?? BROWSER_TARGET_ID;
    const info = allInfos(relay, asker).find((each) => each.targetId === targetId);
    if (info) asker.reply(id, { targetInfo: info });
    else noTarget(asker, id, targetId);
  },
  "Target.setDiscoverTargets"({ relay, session, asker, id, params }) {
    session.wants.discover = params.discover === true ? readFilter(params) : undefined;
    if (session.wants.discover) {
      for (const info of allInfos(relay, asker))
        if (passes(session.wants.discover, info.type))
          session.emit("Target.targetCreated", { targetInfo: info });
    }
    asker.reply(id);
  },
  "Target.setAutoAttach"({ relay, session, asker, id, params }) {
    session.wants.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
    if (session.wants.autoAttach)
      for (const tab of relay.tabs.values()) relay.sessions.attachAutomatically(session, tab);
    asker.reply(id);
  },
  "Target.attachToBrowserTarget"({ relay, session, asker, id }) {
    asker.reply(id, { sessionId: relay.sessions.attachToBrowser(session).id });
  },
  "Target.attachToTarget"({ relay, session, asker, id, params }) {
    const targetId = String(params.targetId);
    const { pageId, type } = pageTargetId(targetId);
    const tab = relay.byTarget.get(pageId);
    const child = relay.sessions.childTarget(targetId);
    if (targetId === BROWSER_TARGET_ID)
      return asker.reply(id, { sessionId: relay.sessions.attachToBrowser(session).id });
    if (child) return asker.reply(id, { sessionId: relay.sessions.attachToChild(session, child).id });
    if (!tab) return noTarget(asker, id, targetId);
    const known = [...session.children].find(
      (each) => each.isAutomatic && each.kind === type && each.tab === tab,
    );
    asker.reply(id, { sessionId: (known ?? relay.sessions.attachTo(session, tab, type)).id });
  },
  "Target.detachFromTarget"({ relay, session, asker, id, params }) {
    const found = session.client.sessions.get(String(params.sessionId ?? ""));
    if (!found || found === session.client.root) {
      asker.fail(id, {
        code: SESSION_GONE,
        message: `No session with given id: ${String(params.sessionId)}`,
      });
      return;
    }
    relay.sessions.drop(found, true);
    asker.reply(id);
  },
  "Target.createTarget"({ relay, session, asker, id, params }) {
    relay.registry.createTab(
      session,
      String(params.url ?? "about:blank"),
      params.background === true,
      (tab, error) => {
        if (tab) asker.reply(id, { targetId: tab.targetId });
        else asker.fail(id, error ?? failure("internal", "the tab could not be opened"));
      },
    );
  },
  "Target.closeTarget"({ relay, asker, id, params }) {
    const tab = relay.byTarget.get(pageTargetId(String(params.targetId)).pageId);
    if (!tab) return noTarget(asker, id, params.targetId);
    relay.extension.request("closeTab", JSON.stringify({ tabId: tab.tabId }), (outcome) => {
      if (!outcome.ok) return asker.fail(id, outcome.error);
      asker.reply(id, { success: true });
      relay.registry.removeTab(tab);
    });
  },
  "Target.activateTarget"({ relay, asker, id, params }) {
    const tab = relay.byTarget.get(pageTargetId(String(params.targetId)).pageId);
    if (!tab) return noTarget(asker, id, params.targetId);
    relay.extension.request("activateTab", JSON.stringify({ tabId: tab.tabId }), (outcome) =>
      outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
    );
  },

  "Storage.getCookies": (asked) => throughAnyTab(asked, "Storage.getCookies"),
  "Storage.setCookies": (asked) => throughAnyTab(asked, "Storage.setCookies"),
  "Storage.clearCookies": (asked) => throughAnyTab(asked, "Storage.clearCookies"),
};

function allInfos(relay: RelayCore, asker: ClientSession): ReturnType<typeof pageInfo>[] {
  const infos = [browserInfo()];
  for (const tab of relay.tabs.values()) {
    const attached = [...asker.client.sessions.values()].some((session) => session.tab === tab);
    infos.push(tabInfo(tab, attached), pageInfo(tab, attached));
  }
  return infos;
}

function noTarget(asker: ClientSession, id: number, targetId: unknown): void {
  asker.fail(id, {
    code: -32_602,
    message: `No target with given id found: ${String(targetId)}`,
    data: "target_not_found",
  });
}

function setPermissions({ relay, asker, id, params }: Asked, names: unknown, setting: string): void {
  const permissions = Array.isArray(names) ? names.map(String) : [];
  const body = {
    ...(params.origin ? { origin: params.origin } : {}),
    permissions,
    setting,
    client: asker.client.name,
  };
  relay.extension.request("setPermissions", JSON.stringify(body), (outcome) =>
    outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
  );
}

/** Cookies belong to the profile, but Chrome's debugger gives access to them through a tab only. */
function throughAnyTab({ relay, session, asker, id, params }: Asked, method: string): void {
  const own = [...session.client.sessions.values()]
    .filter(({ kind, tab }) => kind === "page" && tab !== undefined)
    .sort((a, b) => b.lastActive - a.lastActive);
  const tab =
    own.find((each) => each.tab?.attachment === "attached")?.tab ??
    [...relay.tabs.values()].find(({ attachment }) => attachment === "attached") ??
    own[0]?.tab ??
    [...relay.tabs.values()][0];
  if (!tab) {
    asker.fail(
      id,
      failure("target_not_found", `${method} works through a tab, and none is open; open one first`),
    );
    return;
  }
  const { browserContextId: _ours, ...rest } = params;
  relay.attachments.attach(tab, (error) => {
    if (error) return asker.fail(id, error);
    const done: Done = (outcome) => {
      if (outcome.ok) asker.replyText(id, outcome.body);
      else asker.fail(id, outcome.error);
      relay.attachments.releaseIfUnused(tab);
    };
    relay.commandOf(asker, { id, method, params, sessionId: "" }, tab.main, JSON.stringify(rest), done);
  });
}
