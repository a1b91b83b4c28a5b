import { resolve, sep } from "node:path";
import { classifyCdpMethod } from "@debug-bridge/protocol";

type Params = Readonly<Record<string, unknown>>;

/** Refused for tabs of a person, but harmless in a browser of one's own. */
const OWN_BROWSER = new Set(["Browser.close", "Target.createBrowserContext", "Target.disposeBrowserContext"]);
const PAGES = new Set(["http:", "https:", "about:", "data:", "blob:"]);

/**
 * Why a command is refused in the temporary Chrome: code that must not read files may not let Chrome read or write
 * them either. Files below the scratch folder are allowed.
 */
export function refusalInTemporary(method: string, params: Params, scratch: string): string | undefined {
  if (classifyCdpMethod(method) === "never" && !OWN_BROWSER.has(method))
    return `${method} reaches beyond the pages of this browser`;
  const url = method === "Page.navigate" || method === "Target.createTarget" ? params.url : undefined;
  if (typeof url === "string" && url !== "" && !isPage(url))
    return `${method} may open http, https, about, data and blob addresses only, not ${url.slice(0, 100)}`;
  if (method === "Network.loadNetworkResource" && !/^https?:/i.test(String(params.url)))
    return `${method} may load http and https addresses only`;
  const outside = pathsOf(method, params).find((path) => !isBelow(path, scratch));
  if (outside === undefined) return undefined;
  return `${method} may use files below ${scratch} only, not ${String(outside).slice(0, 100)}`;
}

function isPage(url: string): boolean {
  return URL.canParse(url) && PAGES.has(new URL(url).protocol);
}

/** The files and folders that Chrome would read or write. */
function pathsOf(method: string, params: Params): unknown[] {
  if (method === "DOM.setFileInputFiles") return list(params.files);
  if (method === "Input.dispatchDragEvent") return list((params.data as Params | undefined)?.files);
  if (method === "Browser.setDownloadBehavior" || method === "Page.setDownloadBehavior")
    return params.behavior === "allow" || params.behavior === "allowAndName" ? [params.downloadPath] : [];
  return [];
}

const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

function isBelow(path: unknown, folder: string): boolean {
  return typeof path === "string" && resolve(path).startsWith(folder + sep);
}
