import { maskUrl } from "@debug-bridge/driver";
import { BridgeError, fence, type RunnerConfig, truncate } from "@debug-bridge/protocol";
import { explain } from "../diagnosis/catalogue.js";
import { type ActionContext, type ActionYield, sleep } from "./context.js";

/** How long a page that has loaded may take to paint before the report is made without it. */
const PAINT_TIMEOUT_MS = 500;
const PAINT_FIRST_MS = 40;
const OVERVIEW_TOKENS = 1_000;
/** A page whose script runs longer than this does not answer. */
const SCRIPT_TIMEOUT_MS = 1_000;

export interface Visit {
  readonly url: string;
  readonly waitUntil?: RunnerConfig["waitUntil"] | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Opens a URL and waits for it. A page that cannot be shown is an error; one with an error status is shown. */
export async function visit(context: ActionContext, target: Visit): Promise<ActionYield> {
  const { commands, config, logs, report } = context;
  const { url, waitUntil = config.waitUntil, timeoutMs = config.timeoutMs } = target;
  logs.loading(`Loading ${truncate(maskUrl(url), 200)} …`);
  report.forgetPage(url);
  const { message } = await commands
    .run({ type: "navigate", url, waitUntil, timeoutMs })
    .catch(async (thrown: unknown) => {
      throw (await isBusy(thrown, context)) ? neverEnding(url, timeoutMs) : thrown;
    });
  if (message !== undefined && /download/.test(message)) {
    throw new BridgeError("navigation_failed", `net::ERR_ABORTED: ${message}`, { field: "url" });
  }
  // Painting comes first when it comes soon, since reading the view delays it.
  const painted = waitForPaint(context);
  await Promise.race([painted, sleep(PAINT_FIRST_MS)]);
  const [result] = await Promise.all([overview(context), painted]);
  reportStatus(context, maskUrl(url));
  return { result };
}

/** Whether a page did not load in time because its own script does not end. */
async function isBusy(thrown: unknown, { page }: ActionContext): Promise<boolean> {
  const { code, details } = BridgeError.from(thrown);
  // Before the first answer there is no script.
  const hasStarted = code === "timeout" && details?.waitUntil !== undefined;
  return hasStarted && page.lost === undefined && !(await page.answers(SCRIPT_TIMEOUT_MS));
}

function neverEnding(url: string, timeoutMs: number): BridgeError {
  return new BridgeError(
    "timeout",
    `${maskUrl(url)} was not ready after ${timeoutMs} ms: a script of the page does not end`,
    { field: "url", timeoutMs },
  );
}

function reportStatus({ logs, report, page }: ActionContext, url: string): void {
  const answer = report.documentAt(page.driver.url);
  if (answer?.status === undefined || answer.status < 400) return;
  const { hint, category } = explain(`answered ${answer.status}`, { url });
  const status = `${answer.status} ${answer.statusText ?? ""}`.trim();
  logs.tool("error", `the server answered ${status} to ${url}. Hint: ${hint}`, { category });
}

async function waitForPaint({ page, report }: ActionContext): Promise<void> {
  const late = (): Error => new Error("the page did not paint");
  await page.beforeDeadline(report.whenPainted(), PAINT_TIMEOUT_MS, late).catch(() => {});
}

/** What the page shows, in few words: enough to decide what to do next. */
export async function overview({ commands, page, report }: ActionContext): Promise<Record<string, unknown>> {
  const { url } = page.driver;
  try {
    const [title, { result, page: part }] = await Promise.all([
      page.title(),
      commands.run({ type: "request_ui_tree", format: "text", maxTokens: OVERVIEW_TOKENS }),
    ]);
    const status = report.documentAt(page.driver.url)?.status;
    return {
      url: maskUrl(page.driver.url),
      ...(status === undefined ? {} : { status }),
      title,
      ui: fence(result ?? "", { url: page.driver.url }),
      ...(part?.nextCursor === undefined ? {} : { isWhole: false }),
    };
  } catch (thrown) {
    if (page.lost !== undefined) throw new Error(page.lost);
    return { url: maskUrl(url), note: `the page could not be read: ${BridgeError.from(thrown).message}` };
  }
}
