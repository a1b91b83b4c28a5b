import { cdpMethodClasses, EVALUATING } from "./classify.js";
import { emptyScript } from "./empty-script.js";
import { isPlaywrightCall } from "./reads/playwright.js";
import { recogniseRead } from "./reads/recognise.js";

type CdpParams = Readonly<Record<string, unknown>>;

/** What becomes of a command of a client that may look and not act. */
export type ReadOnlyForm =
  /** Send it with these parameters. */
  | { readonly kind: "send"; readonly params: CdpParams }
  /** Answer it with success and send nothing: it would leave the page as it is. */
  | { readonly kind: "acknowledge" }
  | { readonly kind: "refuse" };

const REFUSE: ReadOnlyForm = { kind: "refuse" };
const ACKNOWLEDGE: ReadOnlyForm = { kind: "acknowledge" };
/** Code without side effects can still run forever, and nobody could stop it. */
const EVALUATE_TIMEOUT_MS = 5_000;
/** Commands with which the hub injects its own page engine. */
export const OWN_CODE: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...EVALUATING,
  "Page.addScriptToEvaluateOnNewDocument",
  "Runtime.addBinding",
  "Runtime.awaitPromise",
]);
/** The bindings of Puppeteer's selectors. */
const BINDING = /^puppeteer___ariaQuerySelector(All)?$/;

/**
 * The form in which a client that may only look can send a command. Commands that look pass as they are. Code that
 * Playwright and Puppeteer send to read a page is recognised and passes; other code runs without side effects. What Playwright and Puppeteer set up while they connect passes in the form that changes nothing.
 * Everything else is refused.
 */
export function readOnlyForm(
  method: string,
  params: CdpParams = {},
  code?: "own" | "placed" | undefined,
): ReadOnlyForm {
  if (code === "own" && OWN_CODE.has(method)) return { kind: "send", params };
  if (EVALUATING.has(method)) {
    if (code === undefined) return REFUSE;
    const read = recogniseRead(method, params);
    if (read) return { kind: "send", params: read };
    return canBeChecked(params) ? { kind: "send", params: withoutSideEffects(method, params) } : REFUSE;
  }
  if (method === "Page.createIsolatedWorld") {
    const { grantUniveralAccess: _dropped, ...rest } = params;
    return { kind: "send", params: rest };
  }
  // A client that only looks must not make frames, workers or popups wait for it.
  if (method === "Target.setAutoAttach" || method === "Target.autoAttachRelated")
    return { kind: "send", params: { ...params, waitForDebuggerOnStart: false } };
  if (cdpMethodClasses().get(method) === "look") return { kind: "send", params };
  switch (method) {
    case "Page.addScriptToEvaluateOnNewDocument": {
      const empty = emptyScript(params);
      return empty ? { kind: "send", params: empty } : REFUSE;
    }
    case "Runtime.addBinding":
      // In an isolated world, which the page cannot see.
      return typeof params.executionContextName === "string" &&
        params.executionContextName !== "" &&
        BINDING.test(String(params.name))
        ? { kind: "send", params }
        : REFUSE;
    case "Browser.setDownloadBehavior":
      // Events are a look. Where files go stays as the person has it.
      return { kind: "send", params: { behavior: "default", eventsEnabled: params.eventsEnabled === true } };
    case "Emulation.setFocusEmulationEnabled":
    case "Page.setFontFamilies":
      return ACKNOWLEDGE;
    case "Emulation.setEmulatedMedia":
      return isDefaultMedia(params) ? ACKNOWLEDGE : REFUSE;
    case "Page.setInterceptFileChooserDialog":
    case "Emulation.setTouchEmulationEnabled":
      return params.enabled === false ? ACKNOWLEDGE : REFUSE;
    case "Network.setCacheDisabled":
      return params.cacheDisabled === false ? ACKNOWLEDGE : REFUSE;
    case "Network.setBypassServiceWorker":
      return params.bypass === false ? ACKNOWLEDGE : REFUSE;
    default:
      return REFUSE;
  }
}

/**
 * Whether V8's check for side effects can be trusted with this code. It does not see what runs after the code has returned:
 * what an async function returns may have a `then`, which is called later. Without the word there is no such function. And
 * Playwright evaluates its texts, which V8 counts as a side effect whatever they do.
 */
export function canBeChecked({ expression, functionDeclaration }: CdpParams): boolean {
  return !/async/.test(`${expression} ${functionDeclaration}`) && !isPlaywrightCall(functionDeclaration);
}

/**
 * Chrome stops the code at its first side effect. It does not look at code that runs after the reply: a `then` of the
 * result, which `awaitPromise` would call.
 */
export function withoutSideEffects(method: string, params: CdpParams): CdpParams {
  const safe = {
    ...params,
    throwOnSideEffect: true,
    userGesture: false,
    awaitPromise: false,
    ...(method === "Runtime.evaluate" ? { includeCommandLineAPI: false, replMode: false } : {}),
  };
  if (method !== "Runtime.evaluate") return safe;
  const asked =
    typeof params.timeout === "number" && params.timeout > 0 ? params.timeout : EVALUATE_TIMEOUT_MS;
  return { ...safe, timeout: Math.min(asked, EVALUATE_TIMEOUT_MS) };
}

/** What Playwright sends to every page while it connects: no medium, a light colour scheme, nothing else. */
function isDefaultMedia({ media, features }: CdpParams): boolean {
  if (media !== undefined && media !== "") return false;
  if (features === undefined) return true;
  return (
    Array.isArray(features) &&
    features.every(
      (each: { name?: unknown; value?: unknown } | null) =>
        each?.value === "" ||
        each?.value === "no-preference" ||
        each?.value === "none" ||
        (each?.name === "prefers-color-scheme" && each.value === "light"),
    )
  );
}
