import {
  BridgeError,
  type BrowserInstruction,
  type BrowserResponse,
  type ImageContent,
  type Log,
  type Metrics,
  type RunnerConfig,
  type RunnerConfigInput,
} from "@debug-bridge/protocol";
import { type ActionYield, sleep } from "../actions/context.js";
import { navigate } from "../actions/navigate.js";
import { deadlineOf, perform } from "../actions/perform.js";
import { type PictureOptions, QUALITY, takePicture } from "../actions/screenshot.js";
import type { LaunchOptions } from "../chrome/launch.js";
import type { Collected } from "../collect/collector.js";
import { mergeConfig } from "../config.js";
import { devCommand } from "../diagnosis/dev-command.js";
import { nextSteps } from "../diagnosis/next-steps.js";
import { Tally } from "../diagnosis/tally.js";
import { ActionLogs } from "../log/logs.js";
import { type Audit, auditTo } from "./audit.js";
import { saveScreenshot, screenshotFolder } from "./debug-folder.js";
import { LivePage } from "./live-page.js";
import { responseError } from "./respond-error.js";
import { isListed } from "./retry.js";

const NOTHING: Collected = { networkEvents: [], jsErrors: 0, networkErrors: 0 };
const METRICS_MS = 500;

export interface RunnerOptions extends LaunchOptions {
  readonly sessionId: string;
  /** What every `start` takes where it says nothing else. */
  readonly config?: RunnerConfigInput | undefined;
  /** Hears every log entry as it comes. */
  readonly onLog?: ((log: Log) => void) | undefined;
  /** Where acts are recorded; by default the audit log of the home. */
  readonly audit?: Audit | undefined;
  /** Names the folder of screenshots in debug mode; the session's id when left out. */
  readonly chatId?: string | undefined;
}

/** One client's browser: at most one Chrome at a time, which is looked after from one action to the next. */
export class BrowserRunner {
  private readonly logs: ActionLogs;
  private readonly audit: Audit;
  private live: LivePage | undefined;
  private config: RunnerConfig;
  private tally = new Tally();
  private started = false;
  private launching: Promise<LivePage> | undefined;
  /** Counts shutdowns, so that a browser which was on its way is not kept. */
  private shutdowns = 0;
  private lastUrl: string | undefined;

  constructor(private readonly options: RunnerOptions) {
    this.logs = new ActionLogs(options.onLog);
    this.audit = options.audit ?? auditTo(options.home);
    this.config = mergeConfig(options.config);
  }

  /** Whether a `start` was answered that no `stop` or shutdown has ended. */
  get isStarted(): boolean {
    return this.started;
  }

  /** Whether an instruction begins a session: a start does, and so does what brings its own url when none runs. */
  opensWith(instruction: BrowserInstruction): boolean {
    return instruction.type === "start" || (bringsUrl(instruction) && !this.started);
  }

  /** Closes the browser, however it is. May be called at any time and again. */
  async shutdown(): Promise<void> {
    const { live } = this;
    // Forgotten first, so that nobody uses or closes it meanwhile.
    this.live = undefined;
    this.started = false;
    this.shutdowns++;
    await Promise.all([live?.close(), this.launching?.catch(() => {})]);
  }

  /** Carries out one instruction. It never throws: what went wrong is in the response. */
  async run(instruction: BrowserInstruction): Promise<BrowserResponse> {
    const { logs } = this;
    logs.debug = instruction.debug ?? this.config.debug;
    const screenshots: { pre?: ImageContent; post?: ImageContent } = {};
    if (instruction.screenshots === "both") await this.picture(screenshots, "pre", instruction);
    let done: ActionYield = {};
    let error: BrowserResponse["error"];
    try {
      done = await this.attempt(instruction);
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
    screenshots: NonNullable<BrowserResponse["screenshots"]>,
  ): Promise<BrowserResponse> {
    const { type } = instruction;
    const success = error === undefined;
    const memoryUsage = await this.memory();
    const { networkEvents, jsErrors, networkErrors } = (await this.live?.collector.finish()) ?? NOTHING;
    this.tally.record({ type, success, jsErrors, networkErrors });
    const timings = this.live?.collector.timings;
    if (success && this.live) this.lastUrl = this.live.driver.url;
    const shutdown = this.started ? this.tally.tooMany(this.config) : undefined;
    if (shutdown !== undefined) this.logs.tool("error", `the browser is shut down: ${shutdown}`);
    if (shutdown !== undefined || type === "stop") await this.shutdown();
    const { state } = this.tally;
    const metrics: Metrics = {
      ...timings,
      ...(memoryUsage === undefined ? {} : { memoryUsage }),
      sessionDuration: state.sessionDurationMs,
      jsErrors,
      networkErrors,
    };
    const outcome = { success, ...(error ? { error } : {}), ...(shutdown === undefined ? {} : { shutdown }) };
    const next = nextSteps(instruction, outcome, jsErrors + networkErrors, this.lastUrl);
    this.record(instruction, error?.code ?? "done");
    return {
      ...outcome,
      logs: this.logs.take(instruction.logFilter ?? this.config.logFilter),
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

  /** Tries until it succeeds, or until an error comes that trying again does not mend. */
  private async attempt(instruction: BrowserInstruction): Promise<ActionYield> {
    if (this.opensWith(instruction)) await this.begin(instruction);
    if (instruction.type === "stop") return {};
    const { maxRetries, retryDelay, retryOnErrors, timeoutMs } = this.config;
    for (let attempt = 0; ; attempt++) {
      const over = new AbortController();
      try {
        const live = await this.healthyPage(instruction);
        const ms = deadlineOf(instruction, timeoutMs);
        return await live.answer(
          perform({ live, config: this.config, logs: this.logs, over: over.signal }, instruction),
          ms,
          () => {
            live.mayHang = true;
            return new BridgeError("timeout", `${instruction.type} took longer than ${ms} ms`);
          },
        );
      } catch (thrown) {
        over.abort();
        const error = this.live?.lost === undefined ? thrown : new Error(this.live.lost);
        if (attempt >= maxRetries || !isListed(error, retryOnErrors)) throw error;
        const { message } = error as Error;
        this.logs.tool(
          "warning",
          `${message}; ${instruction.type} is tried again (${attempt + 1} of ${maxRetries})`,
        );
        await this.drop();
        await sleep(retryDelay);
      }
    }
  }

  private async begin(instruction: BrowserInstruction): Promise<void> {
    await this.shutdown();
    this.config = mergeConfig(this.options.config, instruction);
    this.logs.debug = this.config.debug;
    this.tally = new Tally();
    this.lastUrl = undefined;
    this.logs.loading("Starting the browser …");
    await this.launch();
    this.started = true;
  }

  /** The one place where a browser is looked at before it is used, and made anew. */
  private async healthyPage(instruction: BrowserInstruction): Promise<LivePage> {
    if (!this.started) {
      throw new BridgeError(
        "session_not_found",
        "no browser is running; send start with a url first: <browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>",
      );
    }
    if (this.live && (await this.live.isHealthy())) return this.live;
    const why = this.live?.lost ?? "it was closed after an error";
    this.logs.loading("Restarting the browser …");
    this.logs.tool("warning", `the browser is started again: ${why}`);
    await this.drop();
    const live = await this.launch();
    if (!bringsUrl(instruction) && this.lastUrl !== undefined) {
      await navigate({ live, config: this.config, logs: this.logs }, { url: this.lastUrl });
    }
    if ("ref" in instruction && instruction.ref !== undefined) {
      throw new BridgeError(
        "stale_ref",
        `${instruction.ref} was a ref in the browser that ended (${why}). It was started again at ${this.lastUrl ?? "about:blank"}; name the element anew`,
      );
    }
    return live;
  }

  private async launch(): Promise<LivePage> {
    const { shutdowns } = this;
    this.launching = LivePage.open(this.config, this.options, this.logs).then(async (live) => {
      if (shutdowns === this.shutdowns) return live;
      await live.close();
      throw new BridgeError("cancelled", "the session was closed while its browser was on its way");
    });
    try {
      this.live = await this.launching;
    } finally {
      this.launching = undefined;
    }
    return this.live;
  }

  private async drop(): Promise<void> {
    const { live } = this;
    this.live = undefined;
    await live?.close();
  }

  /** A picture that cannot be taken never fails the action. */
  private async picture(
    into: { pre?: ImageContent; post?: ImageContent },
    moment: "pre" | "post",
    instruction: BrowserInstruction,
  ): Promise<void> {
    if (!this.live || this.live.lost !== undefined) return;
    try {
      const { live, config } = this;
      const image = await live.answer(takePicture(live, this.logs), config.timeoutMs, () =>
        noAnswer(config.timeoutMs),
      );
      if (image) this.keep(into, moment, image, instruction);
    } catch (thrown) {
      const type = moment === "pre" ? "warning" : "error";
      this.logs.tool(
        type,
        `the screenshot ${moment === "pre" ? "before" : "after"} the action failed: ${(thrown as Error).message}`,
      );
    }
  }

  private keep(
    into: { pre?: ImageContent; post?: ImageContent },
    moment: "pre" | "post",
    image: ImageContent,
    instruction: BrowserInstruction,
  ): void {
    into[moment] = image;
    if (!(instruction.debug ?? this.config.debug)) return;
    const { quality = QUALITY, fullPage = false } = instruction as PictureOptions;
    const { width, height, deviceScaleFactor } = this.config;
    const about = {
      ...{ moment, action: instruction.type, url: this.live?.driver.url, sessionId: this.options.sessionId },
      settings: { quality, fullPage, width, height, deviceScaleFactor },
      metrics: { ...this.live?.collector.timings, ...this.tally.state },
    };
    try {
      const path = saveScreenshot(
        screenshotFolder(this.options.home, this.options.chatId ?? this.options.sessionId),
        image,
        about,
      );
      this.logs.tool("debug", `the screenshot is saved as ${path}`);
    } catch (thrown) {
      this.logs.tool("warning", `the screenshot could not be saved: ${(thrown as Error).message}`);
    }
  }

  /** Memory in use. Its answer comes after everything that the page told before, which is then taken in. */
  private async memory(): Promise<number | undefined> {
    const { live } = this;
    if (!live || live.lost !== undefined || live.mayHang) return undefined;
    try {
      const asked = live.cdp.send("Runtime.getHeapUsage");
      const { usedSize } = await live.answer(asked, METRICS_MS, () => noAnswer(METRICS_MS));
      await live.driver.recorded();
      return Math.round(usedSize);
    } catch {
      return undefined;
    }
  }

  private record(instruction: BrowserInstruction, outcome: string): void {
    const { targets, selector, ref, url, xRange, yRange } = instruction as Record<string, unknown>;
    const target = url ?? ref ?? selector ?? targets ?? (xRange ? { xRange, yRange } : undefined);
    this.audit({
      who: this.options.sessionId,
      what: `browser_action ${instruction.type}`,
      session: this.options.sessionId,
      ...(target === undefined ? {} : { target }),
      outcome,
    });
  }
}

const bringsUrl = (instruction: BrowserInstruction): boolean =>
  "url" in instruction && instruction.url !== undefined;

const noAnswer = (ms: number): Error => new Error(`no answer within ${ms} ms`);
