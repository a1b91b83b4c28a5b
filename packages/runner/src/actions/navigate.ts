import { BridgeError, fence, type RunnerConfig, truncate } from "@debug-bridge/protocol";
import { explain } from "../diagnosis/catalogue.js";
import type { LivePage } from "../session/live-page.js";
import { type ActionContext, type ActionYield, sleep } from "./context.js";

/** How long a page that has loaded may take to paint, before it is told that it did not. */
const PAINT_MS = 500;
const PAINT_FIRST_MS = 40;
const CRASH_MS = 250;
const OVERVIEW_TOKENS = 1_000;

export interface Visit {
  readonly url: string;
  readonly waitUntil?: RunnerConfig["waitUntil"] | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Opens a URL and waits for it. A page that cannot be shown is an error; one with an error status is shown. */
export async function navigate(context: ActionContext, visit: Visit): Promise<ActionYield> {
  const { live, config, logs } = context;
  const timeout = visit.timeoutMs ?? config.timeoutMs;
  logs.loading(`Loading ${truncate(visit.url, 200)} …`);
  live.collector.forget();
  logs.forgetErrors();
  const response = await live.page
    .goto(visit.url, { waitUntil: visit.waitUntil ?? config.waitUntil, timeout })
    .catch(async (thrown: unknown) => {
      // A request that never ends would hold up the next action, too.
      const late = (): Error => new Error("too late");
      await live.answer(live.cdp.send("Page.stopLoading"), CRASH_MS, late).catch(() => {});
      // A crash is told of a little later than the navigation that it broke off.
      if (/ERR_ABORTED/.test(String(thrown)))
        await live.answer(sleep(CRASH_MS), CRASH_MS, late).catch(() => {});
      throw live.lost === undefined ? thrown : new Error(live.lost);
    });
  const status = response?.status();
  if (status !== undefined && status >= 400) {
    const { hint, category } = explain(`answered ${status}`, { url: visit.url });
    logs.tool(
      "error",
      `the server answered ${status} ${response?.statusText() ?? ""} to ${visit.url}. Hint: ${hint}`,
      { category },
    );
  }
  // A page that is being looked at paints later: it paints first, where it paints soon.
  const paint = painted(live);
  await Promise.race([paint, sleep(PAINT_FIRST_MS)]);
  const [result] = await Promise.all([overview(live, status), paint]);
  return { result };
}

/** A page that paints nothing is told as it is, and one that is lost will be noticed by what comes next. */
async function painted(live: LivePage): Promise<void> {
  const late = (): Error => new Error("it did not paint");
  await live.answer(live.collector.whenPainted(), PAINT_MS, late).catch(() => {});
}

/** What the page shows, in few words: enough to know what to do next. */
export async function overview(live: LivePage, status?: number): Promise<Record<string, unknown>> {
  const url = live.driver.url;
  const shown = { url, ...(status === undefined ? {} : { status }) };
  try {
    const [title, { result }] = await Promise.all([
      live.page.title(),
      live.driver.run({ type: "request_ui_tree", format: "text", maxTokens: OVERVIEW_TOKENS }),
    ]);
    return { ...shown, title, ui: fence(result ?? "", url) };
  } catch (thrown) {
    if (live.lost !== undefined) throw new Error(live.lost);
    return { ...shown, note: `the page could not be read: ${BridgeError.from(thrown).message}` };
  }
}
