import type { Tab } from "../tabs/tab.js";
import type { Params } from "../wire/messages.js";

/** The one browser context of the relay: the profile of the person. Clients insist that there is one. */
export const BROWSER_CONTEXT_ID = "debug-bridge-profile";
export const BROWSER_TARGET_ID = "debug-bridge-browser";
const TAB_PREFIX = "tab:";

export type TargetFilter = readonly { readonly type?: string; readonly exclude?: boolean }[];

/** What Chrome takes when a client gives no filter. */
const DEFAULT_FILTER: TargetFilter = [{ type: "browser", exclude: true }, { type: "tab", exclude: true }, {}];

export function readFilter(params: Params): TargetFilter {
  return Array.isArray(params.filter) && params.filter.length > 0
    ? (params.filter as TargetFilter)
    : DEFAULT_FILTER;
}

/** The first entry that fits decides. */
export function passes(filter: TargetFilter, type: string): boolean {
  const entry = filter.find((each) => each?.type === undefined || each.type === type);
  return entry !== undefined && !entry.exclude;
}

export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  readonly attached: boolean;
  readonly canAccessOpener: boolean;
  readonly browserContextId: string;
  readonly openerId?: string;
}

export function pageInfo(tab: Tab, attached: boolean): TargetInfo {
  return {
    targetId: tab.targetId,
    type: "page",
    title: tab.title,
    url: tab.url,
    attached,
    canAccessOpener: tab.openerId !== undefined,
    browserContextId: BROWSER_CONTEXT_ID,
    ...(tab.openerId === undefined ? {} : { openerId: tab.openerId }),
  };
}

/** The target around a page, which Puppeteer attaches to first. */
export function tabInfo(tab: Tab, attached: boolean): TargetInfo {
  const { openerId: _opener, ...info } = pageInfo(tab, attached);
  return { ...info, targetId: TAB_PREFIX + tab.targetId, type: "tab" };
}

export function browserInfo(): TargetInfo {
  return {
    targetId: BROWSER_TARGET_ID,
    type: "browser",
    title: "",
    url: "",
    attached: true,
    canAccessOpener: false,
    browserContextId: BROWSER_CONTEXT_ID,
  };
}

/** The id of the page in a target id, whether that names the page or the tab around it. */
export function pageTargetId(targetId: string): { readonly pageId: string; readonly type: "page" | "tab" } {
  return targetId.startsWith(TAB_PREFIX)
    ? { pageId: targetId.slice(TAB_PREFIX.length), type: "tab" }
    : { pageId: targetId, type: "page" };
}
