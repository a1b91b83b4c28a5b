import { restriction } from "./restricted.js";

/** What the person allows agents to do. */
export interface AccessSettings {
  /** `automatic`: all tabs; `manual`: only those that were handed over. */
  readonly mode: "automatic" | "manual";
  /** Only tabs of this host and those below it. */
  readonly site?: string | undefined;
  readonly readOnly: boolean;
  /** Whether a cursor and a coloured group show where agents work. */
  readonly visible: boolean;
}

export const DEFAULT_ACCESS: AccessSettings = { mode: "automatic", readOnly: false, visible: true };

export function readAccess(stored: unknown): AccessSettings {
  const { mode, site, readOnly, visible } = (stored ?? {}) as Partial<AccessSettings>;
  return {
    mode: mode === "manual" ? "manual" : "automatic",
    ...(typeof site === "string" && site !== "" ? { site } : {}),
    readOnly: readOnly === true,
    visible: visible !== false,
  };
}

/** A host in what a person typed: a host, or an address. */
export function hostIn(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  try {
    return new URL(trimmed.includes("://") ? trimmed : `http://${trimmed}`).hostname || undefined;
  } catch {
    return undefined;
  }
}

function isOfSite(url: string, site: string): boolean {
  try {
    const { hostname, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return false;
    return hostname === site || hostname.endsWith(`.${site}`);
  } catch {
    return false;
  }
}

/** Why an address is out of bounds; nothing when it is not. */
export function forbiddenUrl(url: string, { site }: AccessSettings): string | undefined {
  const restricted = restriction(url);
  if (restricted) return `not_supported: ${url.slice(0, 200)} is ${restricted}`;
  if (site === undefined || url === "" || url === "about:blank" || isOfSite(url, site)) return undefined;
  return `forbidden_origin: agents are locked to ${site} in the extension's popup; ${url.slice(0, 200)} is outside of it`;
}

/** Whether agents may see a tab at all. */
export function isOffered(
  tab: { readonly id: number; readonly url: string },
  settings: AccessSettings,
  handedOver: ReadonlySet<number>,
  revoked: ReadonlySet<number>,
): boolean {
  if (revoked.has(tab.id)) return false;
  if (settings.mode === "manual" && !handedOver.has(tab.id)) return false;
  return forbiddenUrl(tab.url, settings) === undefined;
}

/** Commands that look and change nothing a person would notice. */
const LOOKING =
  /^(\w+\.(enable|disable)|Page\.(getFrameTree|getResourceTree|getLayoutMetrics|captureScreenshot|captureSnapshot|printToPDF|getNavigationHistory|createIsolatedWorld|setLifecycleEventsEnabled|addScriptToEvaluateOnNewDocument|removeScriptToEvaluateOnNewDocument|getResourceContent|setFontFamilies|setInterceptFileChooserDialog)|DOM\.(get|describe|resolve|query|request|push|collect|perform)\w*|DOMSnapshot\.\w+|Accessibility\.\w+|CSS\.(get|collect|take)\w*|Network\.(get\w+|setCacheDisabled)|Runtime\.(getProperties|runIfWaitingForDebugger|releaseObject|releaseObjectGroup|addBinding|getIsolateId|getHeapUsage)|Target\.(setAutoAttach|getTargetInfo)|Log\.\w+|Performance\.\w+|Audits\.\w+|Emulation\.(setFocusEmulationEnabled|setEmulatedMedia|getScreenInfos)|IO\.\w+|Schema\.\w+)$/;
const EVALUATING = new Set(["Runtime.evaluate", "Runtime.callFunctionOn"]);
const NAVIGATING = new Set(["Page.navigate"]);

/**
 * What a command becomes under the person's settings: itself, itself without side effects, or an error. A script that
 * is added is no exception from read-only: it must be empty, as those that only make a world are.
 */
export function permitted(
  method: string,
  params: Record<string, unknown>,
  settings: AccessSettings,
): { readonly params: Record<string, unknown> } | { readonly error: string } {
  if (NAVIGATING.has(method)) {
    const forbidden = forbiddenUrl(String(params.url ?? ""), settings);
    if (forbidden) return { error: forbidden };
  }
  if (settings.site !== undefined && /^(Storage|IndexedDB|CacheStorage)\./.test(method))
    return { error: `forbidden_origin: agents are locked to ${settings.site}; ${method} reaches all sites` };
  if (!settings.readOnly) return { params };
  if (EVALUATING.has(method)) return { params: { ...params, throwOnSideEffect: true, userGesture: false } };
  const addsCode =
    method === "Page.addScriptToEvaluateOnNewDocument" &&
    !/^\s*(\/\/[^\n]*)?$/.test(String(params.source ?? ""));
  if (LOOKING.test(method) && !addsCode) return { params };
  return { error: `read_only: the extension's popup allows agents to look only; ${method} acts` };
}
