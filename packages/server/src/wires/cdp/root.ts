import { type CdpMessage, failure, METHOD_NOT_FOUND, type Params, SESSION_GONE } from "./messages.js";
import type { RelayCore } from "./relay-core.js";
import {
  BROWSER_CONTEXT_ID,
  BROWSER_TARGET_ID,
  browserInfo,
  pageInfo,
  pageTargetId,
  passes,
  readFilter,
  tabInfo,
} from "./targets.js";
import type { View } from "./view.js";

interface Asked {
  readonly relay: RelayCore;
  /** The session on the browser that the command is for. */
  readonly view: View;
  /** The session that asked and is answered. */
  readonly asker: View;
  readonly id: number;
  readonly params: Params;
}

/** A command for the browser: answered from what the relay knows, or done through the extension. */
export function runRoot(relay: RelayCore, view: View, message: CdpMessage, asker = view): void {
  const { id, method, params } = message;
  const handler = COMMANDS[method];
  if (ACTING.has(method) && !relay.mayAct(asker)) {
    const error = failure("read_only", `the hub was started with --read-only; ${method} acts`);
    relay.noteRefusal(asker, method, error);
    asker.fail(id, error);
  } else if (handler) handler({ relay, view, asker, id, params });
  else if (OUTSIDE.test(method)) {
    const error = failure(
      "not_supported",
      `${method} reaches beyond the tabs of this browser, which belongs to a person; the relay refuses it`,
    );
    relay.noteRefusal(asker, method, error);
    asker.fail(id, error);
  } else {
    asker.fail(id, {
      code: METHOD_NOT_FOUND,
      message: `'${method}' wasn't found: the relay does not offer it on the browser's session; send it to a page's session`,
    });
  }
}

const ACTING = new Set([
  "Target.createTarget",
  "Target.closeTarget",
  "Target.activateTarget",
  "Browser.grantPermissions",
  "Browser.setPermission",
  "Browser.resetPermissions",
  "Storage.setCookies",
  "Storage.clearCookies",
]);

/** What would end, change or look into more than tabs. */
const OUTSIDE =
  /^(Browser|Target|SystemInfo|Tethering|Extensions|PWA|DeviceAccess|Cast|Memory|IO|Tracing|HeadlessExperimental|Autofill|FedCm|WebAuthn|BluetoothEmulation|Storage|Fetch|Security)\./;

type Handler = (asked: Asked) => void;

const COMMANDS: Record<string, Handler> = {
  "Browser.getVersion": ({ relay, asker, id }) => asker.reply(id, relay.version()),

  "Browser.setDownloadBehavior"({ view, asker, id, params }) {
    view.downloads = params;
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
    relay.desk.ask("resetPermissions", "{}", (outcome) =>
      outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
    );
  },

  "Target.getBrowserContexts": ({ asker, id }) =>
    asker.reply(id, { browserContextIds: [BROWSER_CONTEXT_ID], defaultBrowserContextId: BROWSER_CONTEXT_ID }),
  "Target.createBrowserContext": ({ asker, id }) =>
    asker.fail(
      id,
      failure(
        "not_supported",
        "the relay has one browser context, the profile of the person; use browser.contexts()[0] instead of a new one",
      ),
    ),
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
  "Target.setDiscoverTargets"({ relay, view, asker, id, params }) {
    view.discover = params.discover === true ? readFilter(params) : undefined;
    if (view.discover) {
      for (const info of allInfos(relay, asker))
        if (passes(view.discover, info.type)) view.emit("Target.targetCreated", { targetInfo: info });
    }
    asker.reply(id);
  },
  "Target.setAutoAttach"({ relay, view, asker, id, params }) {
    view.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
    if (view.autoAttach) for (const tab of relay.tabs.values()) relay.views.attachView(view, tab);
    asker.reply(id);
  },
  "Target.attachToBrowserTarget"({ relay, view, asker, id }) {
    asker.reply(id, { sessionId: relay.views.attachToBrowser(view).id });
  },
  "Target.attachToTarget"({ relay, view, asker, id, params }) {
    const targetId = String(params.targetId);
    const { pageId, type } = pageTargetId(targetId);
    const tab = relay.byTarget.get(pageId);
    const child = relay.views.childTarget(targetId);
    if (targetId === BROWSER_TARGET_ID)
      return asker.reply(id, { sessionId: relay.views.attachToBrowser(view).id });
    if (child) return asker.reply(id, { sessionId: relay.views.attachToChild(view, child).id });
    if (!tab) return noTarget(asker, id, targetId);
    const known = [...view.children].find(
      (each) => each.isAutomatic && each.kind === type && each.tab === tab,
    );
    asker.reply(id, { sessionId: (known ?? relay.views.attachTo(view, tab, type)).id });
  },
  "Target.detachFromTarget"({ relay, view, asker, id, params }) {
    const session = view.client.views.get(String(params.sessionId ?? ""));
    if (!session || session === view.client.root) {
      asker.fail(id, {
        code: SESSION_GONE,
        message: `No session with given id: ${String(params.sessionId)}`,
      });
      return;
    }
    relay.views.dropView(session, true);
    asker.reply(id);
  },
  "Target.createTarget"({ relay, view, asker, id, params }) {
    relay.book.createTab(
      view,
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
    relay.noteAct(asker, "Target.closeTarget", tab.url);
    relay.desk.ask("closeTab", JSON.stringify({ tabId: tab.tabId }), (outcome) => {
      if (!outcome.ok) return asker.fail(id, outcome.error);
      asker.reply(id, { success: true });
      relay.book.removeTab(tab);
    });
  },
  "Target.activateTarget"({ relay, asker, id, params }) {
    const tab = relay.byTarget.get(pageTargetId(String(params.targetId)).pageId);
    if (!tab) return noTarget(asker, id, params.targetId);
    relay.desk.ask("activateTab", JSON.stringify({ tabId: tab.tabId }), (outcome) =>
      outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
    );
  },

  "Storage.getCookies": (asked) => throughAnyTab(asked, "Storage.getCookies"),
  "Storage.setCookies": (asked) => throughAnyTab(asked, "Storage.setCookies"),
  "Storage.clearCookies": (asked) => throughAnyTab(asked, "Storage.clearCookies"),
};

function allInfos(relay: RelayCore, asker: View): ReturnType<typeof pageInfo>[] {
  const infos = [browserInfo()];
  for (const tab of relay.tabs.values()) {
    const attached = [...asker.client.views.values()].some((view) => view.tab === tab);
    infos.push(tabInfo(tab, attached), pageInfo(tab, attached));
  }
  return infos;
}

function noTarget(asker: View, id: number, targetId: unknown): void {
  asker.fail(id, {
    code: -32_602,
    message: `No target with given id found: ${String(targetId)}`,
    data: "target_not_found",
  });
}

function setPermissions({ relay, asker, id, params }: Asked, names: unknown, setting: string): void {
  const permissions = Array.isArray(names) ? names.map(String) : [];
  const body = { ...(params.origin ? { origin: params.origin } : {}), permissions, setting };
  relay.desk.ask("setPermissions", JSON.stringify(body), (outcome) =>
    outcome.ok ? asker.reply(id) : asker.fail(id, outcome.error),
  );
}

/** Cookies are the profile's, but Chrome's debugger hands them out through a tab only. */
function throughAnyTab({ relay, view, asker, id, params }: Asked, method: string): void {
  const own = [...view.client.views.values()]
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
  relay.attach(tab, (error) => {
    if (error) return asker.fail(id, error);
    relay.command(tab.main, method, JSON.stringify(rest), (outcome) => {
      if (outcome.ok) asker.replyText(id, outcome.body);
      else asker.fail(id, outcome.error);
      relay.detachIfUnused(tab);
    });
  });
}
