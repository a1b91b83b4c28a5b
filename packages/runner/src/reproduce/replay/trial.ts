import { seededRandom } from "@debug-bridge/driver";
import { BridgeError, type Locator as RecordedLocator } from "@debug-bridge/protocol";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { SourceMaps } from "../../source-maps/source-maps.js";
import { isSameFailure, placeInStack, plainMessage } from "../recording/failures.js";
import type { Exchange, Failure, Recording, Step } from "../recording/types.js";
import { type PerformOptions, perform } from "./perform.js";
import { Replay } from "./replay.js";

const LOAD_TIMEOUT_MS = 30_000;
/** How long after the last step the failure may come, in the time of the page and in that of this machine. */
const TAIL_MS = 5_000;
const REAL_TAIL_MS = 400;
/** The seed of `Math.random` when the recording has none. */
const DEFAULT_SEED = 1;

/** What all trials of a reproduction share. */
export interface TrialSetting {
  readonly browser: Browser;
  readonly recording: Recording;
  readonly failure: Failure;
  readonly maps: SourceMaps;
  readonly network: "recorded" | "live";
  readonly timed: boolean;
  readonly secrets: PerformOptions["secrets"];
  readonly stepTimeoutMs: number;
  readonly storageState?: string | undefined;
  /** Called after the page has loaded, with 0, and after each step. */
  onStep?(page: Page, done: number): Promise<void>;
}

export interface TrialResult {
  readonly failed: boolean;
  /** The steps that were done; after the one that led to the failure there are none. */
  readonly done: readonly Step[];
  /** Those whose element did not exist. */
  readonly skipped: readonly Step[];
  /** How each step's element was found. */
  readonly found: ReadonlyMap<number, RecordedLocator>;
  /** Requests that were not in the recording. */
  readonly unknown: readonly string[];
  /** What was answered from it. */
  readonly used: readonly Exchange[];
  /** What went wrong otherwise. */
  readonly others: readonly Failure[];
  readonly ms: number;
}

/** Replays steps in a new context of the browser, and says whether the failure came. */
export async function runTrial(setting: TrialSetting, steps: readonly Step[]): Promise<TrialResult> {
  const { browser, recording } = setting;
  const startedAt = performance.now();
  const context = await browser.newContext(contextOptions(recording, setting.storageState));
  try {
    await context.addInitScript(seededRandom(recording.seed ?? DEFAULT_SEED));
    const page = await context.newPage();
    page.setDefaultTimeout(LOAD_TIMEOUT_MS);
    const seen = watch(page, setting);
    const { exchanges, time } = recording;
    const { timed, network } = setting;
    const replay = await Replay.start(page, { exchanges, time, timed, network });
    await open(page, recording.url);
    await replay.loaded();
    await setting.onStep?.(page, 0);
    const outcome = await replaySteps(setting, page, replay, steps, seen);
    const { unknown, used } = replay;
    return {
      ...{ ...outcome, unknown: [...unknown], used: [...used], others: seen.others },
      ms: performance.now() - startedAt,
    };
  } finally {
    await context.close().catch(() => {});
  }
}

function contextOptions(recording: Recording, storageState?: string): BrowserContextOptions {
  const { width, height, timeZone, language } = recording;
  return {
    viewport: { width: Math.max(width, 200), height: Math.max(height, 200) },
    timezoneId: timeZone,
    ...(language === "" ? {} : { locale: language }),
    // Requests of a service worker would not pass the replay.
    serviceWorkers: "block",
    acceptDownloads: false,
    ...(storageState === undefined ? {} : { storageState }),
  };
}

interface Seen {
  failed(): Promise<boolean>;
  readonly others: Failure[];
}

type Outcome = Pick<TrialResult, "failed" | "done" | "skipped" | "found">;

/** The page and its code come from its server, which must run. */
async function open(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url, { waitUntil: "load" });
  } catch (thrown) {
    const [why = ""] = /net::\w+|Timeout \d+ms/.exec((thrown as Error).message) ?? [];
    throw new BridgeError(
      "navigation_failed",
      `${url} did not load (${why || "the browser refused it"}); start the app's server and try again`,
    );
  }
}

async function replaySteps(
  setting: TrialSetting,
  page: Page,
  replay: Replay,
  steps: readonly Step[],
  seen: Seen,
): Promise<Outcome> {
  const done: Step[] = [];
  const skipped: Step[] = [];
  const found = new Map<number, RecordedLocator>();
  const { failure, recording, timed } = setting;
  const endsEarly = failure.kind !== "text";
  for (const step of steps) {
    await replay.until(step.at);
    if (endsEarly && (await seen.failed())) return { failed: true, done, skipped, found };
    await replay.loaded();
    const performed = await perform(page, step, setting);
    if (!performed.done) {
      skipped.push(step);
      continue;
    }
    done.push(step);
    if (performed.locator) found.set(step.id, performed.locator);
    await setting.onStep?.(page, done.length);
  }
  await replay.until(Math.max(recording.ends, failure.at) + TAIL_MS);
  await replay.loaded();
  const ends = Date.now() + (timed && failure.kind !== "text" ? REAL_TAIL_MS / 4 : REAL_TAIL_MS);
  while (!(await seen.failed()) && Date.now() < ends) await new Promise((resolve) => setTimeout(resolve, 20));
  return { failed: await seen.failed(), done, skipped, found };
}

/** Watches for the failure. Places are those of the source, where maps say it. */
function watch(page: Page, { failure, maps }: TrialSetting): Seen {
  const others: Failure[] = [];
  let isSeen = false;
  let checking = Promise.resolve();
  const check = (candidate: Failure): void => {
    checking = checking.then(async () => {
      const mapped = await withWrittenPlace(candidate, maps, page.url());
      if (isSameFailure(mapped, failure)) isSeen = true;
      else if (others.length < 20) others.push(mapped);
    });
  };
  page.on("pageerror", (error) => {
    const place = placeInStack(error.stack ?? "");
    check({ kind: "error", message: plainMessage(error.message), at: 0, ...(place ? { place } : {}) });
  });
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "assert") return;
    const { url, lineNumber, columnNumber } = message.location();
    const place = url === "" ? {} : { place: { url, line: lineNumber + 1, column: columnNumber + 1 } };
    check({ kind: "console", message: plainMessage(message.text()), at: 0, ...place });
  });
  return {
    others,
    async failed() {
      if (failure.kind === "text")
        return page
          .getByText(failure.message)
          .first()
          .isVisible()
          .catch(() => false);
      await checking;
      return isSeen;
    },
  };
}

/** A failure whose place is where the code was written. */
export async function withWrittenPlace(failure: Failure, maps: SourceMaps, page: string): Promise<Failure> {
  if (!failure.place) return failure;
  const place = await maps.locate(failure.place, page).catch(() => failure.place);
  return place ? { ...failure, place: { url: place.url, line: place.line, column: place.column } } : failure;
}
