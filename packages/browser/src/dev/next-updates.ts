import { HMR_PATHS, HmrBuilds, readHmr } from "../plugin/next/hmr-messages.js";
import { codeUpdates } from "./code-updates.js";

/** An update that is not applied and rendered after this time is reported as it is, as one that has not settled. */
const MAX_MS = 5_000;
const CHECK_MS = 30;
/** React renders what has arrived a moment later. */
const RENDER_MS = 250;
/** A page of Next.js does not know which edits an update is from: all that the hub waits for. */
const ALL_EDITS = ["*"];

interface NextWindow {
  WebSocket: typeof WebSocket;
  /** Called by Next.js when an update is applied. */
  __NEXT_HMR_LATENCY_CB?: (ms: number) => void;
}

/** Reports the hot updates of Next.js, which come over a separate socket. It opens that after this. */
export function followNextPage(window: NextWindow = globalThis as never): void {
  const updates = codeUpdates();
  const builds = new HmrBuilds();
  let isTurbopack = false;
  let isApplied = true;
  /** When the server last made the page ask for what it renders. */
  let refreshAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRefresh = 0;
  // The list of entries that a page keeps is full soon in development; an observer gets them all.
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (/[?&]_rsc=/.test(name)) lastRefresh = Math.max(lastRefresh, startTime);
  }).observe({ type: "resource" });
  const isDone = (): boolean =>
    isApplied &&
    !isRendering() &&
    !isLoadingStyles() &&
    (refreshAt === undefined || lastRefresh >= refreshAt);
  const finish = (since: number, doneSince: number | undefined): void => {
    const now = performance.now();
    const done = isDone() ? (doneSince ?? now) : undefined;
    const waitMs = refreshAt === undefined && isTurbopack ? 0 : RENDER_MS;
    if (now - since < MAX_MS && (done === undefined || now - done < waitMs)) {
      timer = setTimeout(() => finish(since, done), CHECK_MS);
      return;
    }
    refreshAt = undefined;
    updates.after(ALL_EDITS, done !== undefined);
  };
  const onData = (data: unknown): void => {
    const event = readHmr(data);
    if (!event) return;
    isTurbopack ||= event.kind === "turbopack";
    const { isUpdate, isEnd } = builds.next(event);
    // Until now the code was only built.
    if ((isUpdate && event.kind !== "building") || isEnd) updates.before();
    if (event.kind === "update" && event.isOfServer) refreshAt = performance.now();
    // A page that is loaded again reports that itself.
    if (!isEnd || event.kind === "reload") return;
    const isBroken = event.kind === "built" && event.errors.length > 0;
    // Turbopack's updates are applied when the message is handled, which is right after this. webpack loads them first.
    isApplied = isTurbopack || isBroken;
    if (isBroken) refreshAt = undefined;
    clearTimeout(timer);
    timer = setTimeout(() => finish(performance.now(), undefined), 0);
  };
  const before = window.__NEXT_HMR_LATENCY_CB;
  window.__NEXT_HMR_LATENCY_CB = (ms) => {
    before?.(ms);
    isApplied = true;
  };
  window.WebSocket = new Proxy(window.WebSocket, {
    construct(target, args, newTarget) {
      const socket = Reflect.construct(target, args, newTarget) as WebSocket;
      const isHmr = HMR_PATHS.some((path) => String(args[0]).replace(/\?.*$/, "").endsWith(path));
      if (isHmr) socket.addEventListener("message", ({ data }) => onData(data));
      return socket;
    },
  });
}

/** Whether Next.js shows that it renders. */
function isRendering(): boolean {
  const badge = document.querySelector("nextjs-portal")?.shadowRoot?.querySelector("[data-next-badge]");
  return (badge?.getAttribute("data-status") ?? "none") !== "none";
}

/** Whether a style sheet of the page is still loading: webpack replaces a changed one by a new link. */
const isLoadingStyles = (): boolean =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].some(({ sheet }) => !sheet);
