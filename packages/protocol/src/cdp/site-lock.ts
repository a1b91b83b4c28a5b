import { type AccessClass, cdpMethodClasses } from "./classify.js";
import { emptyScript } from "./empty-script.js";
import { isHostOf, isOnSite } from "./sites.js";

type CdpParams = Readonly<Record<string, unknown>>;
/** The parameters to send, a refusal, or: it needs a grant as without a lock. */
type LockedForm = CdpParams | "refuse" | "grant";

/** Methods that look or act and whose effect is not confined to the documents of one site. */
const BEYOND_THE_SITE: ReadonlySet<string> = /* @__PURE__ */ new Set(
  `
  Browser.setWindowBounds Browser.setContentsSize
  FedCm.enable FedCm.selectAccount FedCm.clickDialogButton FedCm.openUrl FedCm.dismissDialog FedCm.resetCooldown
  Memory.prepareForLeakDetection Memory.forciblyPurgeJavaScriptMemory Memory.setPressureNotificationsSuppressed
  Memory.simulatePressureNotification
  Network.continueInterceptedRequest Network.setRequestInterception Network.fetchSchemefulSite
  Page.addScriptToEvaluateOnLoad Page.getNavigationHistory Page.navigateToHistoryEntry
  Page.setSPCTransactionMode Page.setRPHRegistrationMode
  Security.setIgnoreCertificateErrors Security.handleCertificateError Security.setOverrideCertificateErrors
  ServiceWorker.deliverPushMessage ServiceWorker.dispatchSyncEvent ServiceWorker.dispatchPeriodicSyncEvent
  ServiceWorker.setForceUpdateOnPageLoad ServiceWorker.skipWaiting ServiceWorker.startWorker
  ServiceWorker.stopAllWorkers ServiceWorker.stopWorker ServiceWorker.unregister ServiceWorker.updateRegistration
  Target.attachToBrowserTarget
  `
    .trim()
    .split(/\s+/),
);

type Rule = (params: CdpParams, site: string) => LockedForm;

const inside =
  (...keys: string[]): Rule =>
  (params, site) =>
    keys.some((key) => params[key] !== undefined) &&
    keys.every((key) => params[key] === undefined || isOnSite(params[key], site))
      ? params
      : "refuse";

/** A cookie of the site: whatever says where it belongs has to be on the site. */
const cookie: Rule = (params, site) => {
  const { url, domain } = params;
  if (url === undefined && domain === undefined) return "refuse";
  if (url !== undefined && !isOnSite(url, site)) return "refuse";
  return domain === undefined || isHostOf(String(domain).replace(/^\./, ""), site) ? params : "refuse";
};

const cookieList: Rule = (params, site) =>
  Array.isArray(params.cookies) && params.cookies.every((each) => cookie(each ?? {}, site) !== "refuse")
    ? params
    : "refuse";

const storage: Rule = ({ ...params }, site) => {
  const { storageBucket, ...rest } = params;
  const key = (storageBucket as CdpParams | undefined)?.storageKey;
  if (storageBucket !== undefined && !isOnSite(key, site)) return "refuse";
  return storageBucket === undefined || rest.securityOrigin !== undefined || rest.storageKey !== undefined
    ? inside("origin", "securityOrigin", "storageKey")(params, site)
    : params;
};

/** A response that a client makes up must not store cookies: they would belong to the site of the request. */
const madeUpResponse: Rule = (params) => {
  const { responseHeaders, binaryResponseHeaders } = params;
  if (binaryResponseHeaders !== undefined) return "refuse";
  if (responseHeaders === undefined) return params;
  const names = Array.isArray(responseHeaders)
    ? responseHeaders.map((each: CdpParams | null) => String(each?.name))
    : ["set-cookie"];
  return names.some((name) => /^set-cookie2?$/i.test(name.trim())) ? "refuse" : params;
};

const RULES: Readonly<Record<string, Rule>> = {
  "Page.navigate": inside("url"),
  "Target.createTarget": (params, site) =>
    params.url === "" || params.url === "about:blank" ? params : inside("url")(params, site),
  "Page.addScriptToEvaluateOnNewDocument": (params) => emptyScript(params) ?? "refuse",
  "Page.createIsolatedWorld": ({ grantUniveralAccess: _dropped, ...params }) => params,
  "Fetch.continueRequest": (params, site) =>
    params.url === undefined || isOnSite(params.url, site) ? params : "refuse",
  "Fetch.fulfillRequest": madeUpResponse,
  "Fetch.continueResponse": madeUpResponse,
  // Without `urls` Chrome answers with the cookies of everything that the page loads, from whatever site.
  "Network.getCookies": (params, site) =>
    params.urls === undefined
      ? { ...params, urls: [`https://${site}/`, `http://${site}/`] }
      : Array.isArray(params.urls) && params.urls.every((url) => isOnSite(url, site))
        ? params
        : "refuse",
  "Network.setCookie": cookie,
  "Network.deleteCookies": cookie,
  "Network.setCookies": cookieList,
  "Storage.setCookies": cookieList,
  "Network.loadNetworkResource": inside("url"),
  "Browser.grantPermissions": (params, site) => (isOnSite(params.origin, site) ? "grant" : "refuse"),
  "Browser.setPermission": (params, site) => (isOnSite(params.origin, site) ? "grant" : "refuse"),
  "Browser.setDownloadBehavior": () => "grant",
  "DOM.setFileInputFiles": () => "grant",
  "DOM.getFileInfo": () => "grant",
};

const STORAGE_METHODS =
  /^(IndexedDB\.|CacheStorage\.requestCacheNames$|Storage\.(clearDataFor|getUsageAndQuota$|overrideQuotaForOrigin$|(un)?track(CacheStorage|IndexedDB)For))/;

/** What becomes of a command in a tab that is locked to a site: only what stays in documents of the site is allowed. */
export function lockedForm(method: string, params: CdpParams, found: AccessClass, site: string): LockedForm {
  if (site === "" || !cdpMethodClasses().has(method) || BEYOND_THE_SITE.has(method)) return "refuse";
  if (Object.hasOwn(RULES, method)) return (RULES[method] as Rule)(params, site);
  if (found === "profile") return STORAGE_METHODS.test(method) ? storage(params, site) : "refuse";
  return params;
}
