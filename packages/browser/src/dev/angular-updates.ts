import { COMPONENT_UPDATE } from "../plugin/channel.js";
import { codeUpdates } from "./code-updates.js";
import type { ViteHot } from "./vite-updates.js";

/** New code of a component that is not loaded after this time is reported as it is, as one that has not settled. */
const MAX_MS = 5_000;
const CHECK_MS = 20;
/** The server does not report to pages which edits an update is from: all that the hub waits for. */
const ALL_EDITS = ["*"];

/** Reports the hot updates of Angular: style sheets as Vite does it, and components in its own way. */
export async function followAngular(): Promise<void> {
  const updates = codeUpdates();
  const client = document.querySelector<HTMLScriptElement>('script[src$="/@vite/client"]')?.src;
  if (!client) return;
  const { createHotContext } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ client)) as {
    createHotContext(owner: string): ViteHot;
  };
  const hot = createHotContext("/@debug-bridge/angular");
  let lastLoaded = 0;
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name.includes("/@ng/component")) lastLoaded = Math.max(lastLoaded, startTime);
  }).observe({ type: "resource" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = (since: number): void => {
    const isLoaded = lastLoaded >= since;
    if (!isLoaded && performance.now() - since < MAX_MS) timer = setTimeout(() => finish(since), CHECK_MS);
    else updates.after(ALL_EDITS, isLoaded);
  };
  hot.on(COMPONENT_UPDATE, () => {
    updates.before();
    clearTimeout(timer);
    finish(performance.now());
  });
  // An update of nothing only removes what Vite shows of an error.
  const isEmpty = (data: unknown): boolean =>
    ((data as { updates?: readonly unknown[] }).updates ?? []).length === 0;
  hot.on("vite:beforeUpdate", (data) => {
    if (!isEmpty(data)) updates.before();
  });
  hot.on("vite:afterUpdate", (data) => {
    if (!isEmpty(data)) updates.after(ALL_EDITS);
  });
}
