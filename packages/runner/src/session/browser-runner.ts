import { maskUrl } from "@debug-bridge/driver";
import {
  BridgeError,
  type BrowserInstruction,
  type BrowserResponse,
  backoffDelay,
  type ImageContent,
  type Log,
  type Metrics,
  type RunnerConfig,
  type RunnerConfigInput,
} from "@debug-bridge/protocol";
import type { LaunchOptions } from "../chrome/launch.js";
import { type ActionContext, type ActionYield, sleep } from "../compile/context.js";
import { deadlineOf, perform } from "../compile/perform.js";
import { type PictureOptions, QUALITY, takePicture } from "../compile/picture.js";
import { visit } from "../compile/visit.js";
import { mergeConfig } from "../config.js";
import { devCommand } from "../diagnosis/dev-command.js";
import { nextSteps } from "../diagnosis/next-steps.js";
import { Tally } from "../diagnosis/tally.js";
import type { BrowserHub } from "../hub/browser-hub.js";
import type { PageCommands } from "../hub/page-commands.js";
import { ActionLogs } from "../report/logs.js";
import type { ActionReport } from "../report/page-report.js";
import { HubSession } from "./hub-session.js";
import type { LaunchedPage } from "./launched-page.js";
import { isRefusal, responseError } from "./response-error.js";
import { isAct, isListed, isSafeToRepeat } from "./retry.js";
import { saveScreenshot, screenshotFolder } from "./saved-screenshots.js";

const NOTHING: ActionReport = { networkEvents: [], jsErrors: 0, networkErrors: 0 };
const METRICS_TIMEOUT_MS = 500;
const MAX_RETRY_DELAY_MS = 60_000;
/** A crash is reported slightly later than the failure of the command that it interrupted. */
const LOSS_TIMEOUT_MS = 250;

export interface RunnerOptions extends LaunchOptions {
  readonly sessionId: string;
  /** The hub that the browser joins and that every command goes through. */
  readonly hub: BrowserHub;
  /** Whether files of this machine may be opened as pages. */
  readonly allowFiles?: boolean | undefined;
  /** Defaults for every `start`. */
  readonly config?: RunnerConfigInput | undefined;
  /** Called with every log entry as it comes. */
  readonly onLog?: ((log: Log) => void) | undefined;
  /** Names the folder of screenshots in debug mode; the session's id when left out. */
  readonly chatId?: string | undefined;
}

type Screenshots = { pre?: ImageContent; post?: ImageContent };

/** One client's browser: at most one Chrome at a time, checked before each action. */
export class BrowserRunner {
  private readonly logs: ActionLogs;
  private readonly session: HubSession;
  private config: RunnerConfig;
  private tally = new Tally();
  private started = false;
  /** Whether something was done in the current browser beyond opening pages. */
  private hasActed = false;
  private lastUrl: string | undefined;

  constructor(private readonly options: RunnerOptions) {
    this.logs = new ActionLogs(options.onLog);
    this.session = new HubSession(options, this.logs);
    this.config = mergeConfig(options.config);
  }

  /** Whether a `start` succeeded and no `stop` or shutdown followed. */
  get isStarted(): boolean {
    return this.started;
  }

  /** Whether an instruction starts a session: a `start`, or one with a URL when no browser is running. */
  opensWith(instruction: BrowserInstruction): boolean {
    return instruction.type === "start" || (hasUrl(instruction) && !this.started);
  }

  /** Closes the browser and leaves the hub. May be called at any time and more than once. */
  async dispose(): Promise<void> {
    await this.shutdown();
    this.session.leave();
  }

  private async shutdown(): Promise<void> {
    this.started = false;
    await this.session.close();
  }

  /**
   * Carries out one instruction. It never throws: errors are in the response.
   *
   * @param beforeLaunch called when the hub allows a new browser, before it is launched
   */
  async run(
    instruction: BrowserInstruction,
    beforeLaunch: () => Promise<void> = async () => {},
  ): Promise<BrowserResponse> {
    const { logs } = this;
    logs.debug = instruction.debug ?? this.config.debug;
    const screenshots: Screenshots = {};
    if (instruction.screenshots === "both") await this.picture(screenshots, "pre", instruction);
    let done: ActionYield = {};
    let error: BrowserResponse["error"];
    try {
      done = await this.attempt(instruction, beforeLaunch);
    } catch (thrown) {
      error = responseError(thrown, {
        url: "url" in instruction && instruction.url ? instruction.url : this.lastUrl,
        devCommand: devCommand(this.options.project ?? process.cwd()),
      });
      const category = error.details?.category as Log["category"];
      logs.tool("error", `${instruction.type} failed: ${error.message}`, category ? { category } : {});
    }
    if (done.screenshot) this.keep(screenshots, "post", done.screenshot, instruction);
    else if (instruction.screenshots !== "none") await this.picture(screenshots, "post", instruction);
    return this.respond(instruction, done, error, screenshots);
  }

  private async respond(
    instruction: BrowserInstruction,
    done: ActionYield,
    error: BrowserResponse["error"],
    screenshots: Screenshots,
  ): Promise<BrowserResponse> {
    const { type } = instruction;
    const success = error === undefined;
    const memoryUsage = await this.memory();
    const { report, page } = this.session;
    const { networkEvents, jsErrors, networkErrors } = (await report?.finish()) ?? NOTHING;
    // A refusal is not about the page, and must not shut down a browser that another client uses.
    if (!isRefusal(error)) this.tally.record({ type, success, jsErrors, networkErrors });
    if (success && page) this.lastUrl = page.driver.url;
    const shutdown = this.started ? this.tally.tooMany(this.config) : undefined;
    if (shutdown !== undefined) this.logs.tool("error", `the browser is shut down: ${shutdown}`);
    if (shutdown !== undefined || type === "stop") await this.shutdown();
    const { state } = this.tally;
    const metrics: Metrics = {
      ...report?.timings,
      ...(memoryUsage === undefined ? {} : { memoryUsage }),
      sessionDuration: state.sessionDurationMs,
      jsErrors,
      networkErrors,
    };
    const outcome = { success, ...(error ? { error } : {}), ...(shutdown === undefined ? {} : { shutdown }) };
    const next = nextSteps(instruction, outcome, jsErrors + networkErrors, this.lastUrl);
    return {
      ...outcome,
      logs: this.logs.drainEntries(instruction.logFilter ?? this.config.logFilter),
      metrics,
      networkEvents,
      ...(Object.keys(screenshots).length > 0 ? { screenshots } : {}),
      ...(done.receipt ? { receipt: done.receipt } : {}),
      ...(done.result === undefined ? {} : { result: done.result }),
      state,
      ...(next.length > 0 ? { next } : {}),
      sessionId: this.options.sessionId,
      finishedAt: new Date().toISOString(),
    };
  }

  /** Tries until it succeeds, or until an error comes that another attempt does not fix. */
  private async attempt(
    instruction: BrowserInstruction,
    beforeLaunch: () => Promise<void>,
  ): Promise<ActionYield> {
    if (this.opensWith(instruction)) await this.begin(instruction, beforeLaunch);
    if (instruction.type === "stop") return {};
    const { maxRetries, retryDelay } = this.config;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.performOnce(instruction);
      } catch (thrown) {
        const error = await this.causeOf(thrown);
        if (attempt >= maxRetries || !this.mayRepeat(instruction, error)) throw error;
        this.logs.tool(
          "warning",
          `${error.message}; ${instruction.type} is tried again (${attempt + 1} of ${maxRetries})`,
        );
        await this.session.close();
        await sleep(backoffDelay(attempt, { firstMs: retryDelay, maxMs: MAX_RETRY_DELAY_MS }));
      }
    }
  }

  private async performOnce(instruction: BrowserInstruction): Promise<ActionYield> {
    const page = await this.healthyPage(instruction);
    const over = new AbortController();
    const ms = deadlineOf(instruction, this.config.timeoutMs);
    if (isAct(instruction.type)) this.hasActed = true;
    try {
      return await page.beforeDeadline(perform(this.context(page, over.signal), instruction), ms, () => {
        page.mayHang = true;
        return new BridgeError("timeout", `${instruction.type} took longer than ${ms} ms`);
      });
    } catch (thrown) {
      over.abort();
      if (thrown instanceof BridgeError && thrown.code === "timeout") page.mayHang = true;
      // A page that never finished loading is still the one that was meant.
      if (hasUrl(instruction) && !didNotLoad(thrown)) this.lastUrl = (instruction as { url: string }).url;
      throw thrown;
    }
  }

  private context(page: LaunchedPage, signal?: AbortSignal): ActionContext {
    const { session, config, logs } = this;
    const switchTo = (number: number): PageCommands => {
      session.switchTo(page, number);
      return session.commands(signal);
    };
    return { commands: session.commands(signal), page, report: session.report, config, logs, switchTo };
  }

  private mayRepeat({ type }: BrowserInstruction, error: Error): boolean {
    return isListed(error, this.config.retryOnErrors) && isSafeToRepeat(type, this.hasActed);
  }

  /** Why an attempt failed: the loss of the browser, when that is behind the error. */
  private async causeOf(thrown: unknown): Promise<Error> {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { page } = this.session;
    if (!page) return error;
    const mayBeLoss =
      error instanceof BridgeError &&
      (error.code === "outcome_unknown" ||
        error.code === "app_not_connected" ||
        /ERR_ABORTED/.test(error.message));
    if (mayBeLoss)
      await page.beforeDeadline(sleep(LOSS_TIMEOUT_MS), LOSS_TIMEOUT_MS * 2, () => error).catch(() => {});
    return page.lost === undefined ? error : new Error(page.lost);
  }

  private async begin(instruction: BrowserInstruction, beforeLaunch: () => Promise<void>): Promise<void> {
    await this.session.assertMayNavigate((instruction as { url: string }).url);
    await beforeLaunch();
    await this.shutdown();
    this.config = mergeConfig(this.options.config, instruction);
    this.logs.debug = this.config.debug;
    this.tally = new Tally();
    this.lastUrl = undefined;
    this.logs.loading("Starting the browser …");
    await this.launch();
    this.started = true;
  }

  /** The one place where the browser is checked before it is used, and started again. */
  private async healthyPage(instruction: BrowserInstruction): Promise<LaunchedPage> {
    if (!this.started) {
      throw new BridgeError(
        "session_not_found",
        "no browser is running; send start with a url first: <browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>",
      );
    }
    const { page: current } = this.session;
    if (current && (await current.isHealthy())) return current;
    const why = current?.lost ?? "it was closed after an error";
    this.logs.loading("Restarting the browser …");
    this.logs.tool("warning", `the browser is started again: ${why}`);
    await this.session.close();
    const page = await this.launch();
    if (!hasUrl(instruction) && this.lastUrl !== undefined) {
      await visit(this.context(page), { url: this.lastUrl });
    }
    if ("ref" in instruction && instruction.ref !== undefined) {
      throw new BridgeError(
        "stale_ref",
        `${instruction.ref} was a ref in the browser that ended (${why}). A new one was started at ${maskUrl(this.lastUrl ?? "about:blank")}; name the element in another way, or look for its new ref`,
      );
    }
    return page;
  }

  private async launch(): Promise<LaunchedPage> {
    this.hasActed = false;
    return this.session.launch(this.config);
  }

  /** A picture that cannot be taken never fails the action. */
  private async picture(
    into: Screenshots,
    moment: "pre" | "post",
    instruction: BrowserInstruction,
  ): Promise<void> {
    const { page } = this.session;
    if (!page || page.lost !== undefined) return;
    try {
      const { timeoutMs, deviceScaleFactor } = this.config;
      const { quality = QUALITY } = instruction;
      const image = await page.beforeDeadline(
        takePicture(this.session.commands(), this.logs, { deviceScaleFactor, quality }),
        timeoutMs,
        () => noAnswer(timeoutMs),
      );
      if (image) this.keep(into, moment, image, instruction);
    } catch (thrown) {
      const type = moment === "pre" ? "warning" : "error";
      const when = moment === "pre" ? "before" : "after";
      this.logs.tool(type, `the screenshot ${when} the action failed: ${(thrown as Error).message}`);
    }
  }

  private keep(
    into: Screenshots,
    moment: "pre" | "post",
    image: ImageContent,
    instruction: BrowserInstruction,
  ): void {
    into[moment] = image;
    if (!(instruction.debug ?? this.config.debug)) return;
    const { quality = QUALITY, fullPage = false } = instruction as PictureOptions;
    const { width, height, deviceScaleFactor } = this.config;
    const { page, report } = this.session;
    const { sessionId, chatId = sessionId } = this.options;
    const about = {
      ...{ moment, action: instruction.type, url: page && maskUrl(page.driver.url), sessionId },
      settings: { quality, fullPage, width, height, deviceScaleFactor },
      metrics: { ...report.timings, ...this.tally.state },
    };
    try {
      const path = saveScreenshot(screenshotFolder(this.options, chatId), image, about);
      this.logs.tool("debug", `the screenshot is saved as ${path}`);
    } catch (thrown) {
      this.logs.tool("warning", `the screenshot could not be saved: ${(thrown as Error).message}`);
    }
  }

  /** Memory in use. Its answer comes after everything that the page reported before, which is then recorded. */
  private async memory(): Promise<number | undefined> {
    const { page } = this.session;
    if (!page || page.lost !== undefined || page.mayHang) return undefined;
    try {
      const used = await page.beforeDeadline(page.memory(), METRICS_TIMEOUT_MS, () =>
        noAnswer(METRICS_TIMEOUT_MS),
      );
      await page.driver.recorded();
      return used;
    } catch {
      return undefined;
    }
  }
}

/** Whether a navigation was refused, or its address cannot be opened. */
const didNotLoad = (thrown: unknown): boolean =>
  thrown instanceof BridgeError && (thrown.code === "navigation_failed" || isRefusal(thrown));

const hasUrl = (instruction: BrowserInstruction): boolean =>
  "url" in instruction && instruction.url !== undefined;

const noAnswer = (ms: number): Error => new Error(`no answer within ${ms} ms`);
