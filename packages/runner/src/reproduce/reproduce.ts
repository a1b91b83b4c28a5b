import { availableParallelism } from "node:os";
import { plural } from "@debug-bridge/protocol";
import type { Browser } from "playwright-core";
import { SourceMaps } from "../source-maps/source-maps.js";
import { launchForTrials } from "./browser.js";
import { chooseFailure, type FailureChoice } from "./choose-failure.js";
import type { Failure, Recording, Step } from "./recording/types.js";
import { runTrial, type TrialResult, type TrialSetting, withWrittenPlace } from "./replay/trial.js";
import { ddmin } from "./shrink/ddmin.js";
import { writeReproduction } from "./write/files.js";

/** How often the fewest steps are replayed at the end, to say how reliably they fail. */
const RATE_RUNS = 5;
const FIRST_ATTEMPTS = 3;
/** A flaky failure is looked for this often in each trial. */
const FLAKY_RUNS = 3;
/** Errors and actions are timed by different clocks. */
const CLOCK_SLACK_MS = 1_000;
const DEFAULT_MAX_MS = 120_000;
const MAX_JOBS = 4;
/** With the times of the recording, a page is quiet when a step comes. Otherwise it may still be busy. */
const TIMED_STEP_TIMEOUT_MS = 60;
const STEP_TIMEOUT_MS = 1_500;

export interface ReproduceOptions extends FailureChoice {
  readonly recording: Recording;
  /** The folder that the files are written to. */
  readonly out: string;
  /** Where answers to the page's scripts come from. */
  readonly network?: "recorded" | "live";
  /** What was typed and not recorded, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** A file with cookies and storage, as Playwright saves it. */
  readonly storageState?: string | undefined;
  readonly chromePath?: string | undefined;
  readonly jobs?: number | undefined;
  /** When shrinking ends, even if more could be left out. */
  readonly maxMs?: number;
  onProgress?(text: string): void;
}

export interface Rate {
  readonly failed: number;
  readonly of: number;
}

export type Reproduction =
  | {
      readonly reproduced: true;
      readonly failure: Failure;
      /** The fewest steps that still fail. */
      readonly steps: readonly Step[];
      readonly recorded: number;
      readonly rate: Rate;
      /** Whether none of the steps can be left out. */
      readonly isMinimal: boolean;
      readonly timed: boolean;
      readonly trials: number;
      readonly ms: number;
      readonly files: readonly string[];
    }
  | {
      readonly reproduced: false;
      readonly failure: Failure;
      readonly recorded: number;
      readonly rate: Rate;
      /** Steps whose element did not exist in the last attempt. */
      readonly skipped: readonly Step[];
      readonly others: readonly Failure[];
      readonly unknown: readonly string[];
      readonly ms: number;
    };

/** Replays a recording, shrinks it to the fewest actions that still lead to the failure, and writes a test of them. */
export async function reproduce(options: ReproduceOptions): Promise<Reproduction> {
  const browser = await launchForTrials(options.chromePath);
  try {
    return await reproduceIn(browser, options);
  } finally {
    await browser.close();
  }
}

async function reproduceIn(browser: Browser, options: ReproduceOptions): Promise<Reproduction> {
  const startedAt = performance.now();
  const { recording, network = "recorded", secrets = {}, storageState, onProgress = () => {} } = options;
  const maps = new SourceMaps();
  const chosen = chooseFailure(recording, options);
  const failure = await withWrittenPlace(chosen, maps, recording.url);
  const base = { browser, recording, failure, maps, network, secrets, storageState };
  const all =
    failure.kind === "text"
      ? recording.steps
      : recording.steps.filter(({ at }) => at <= failure.at + CLOCK_SLACK_MS);
  const elapsed = (): number => performance.now() - startedAt;
  let trials = 0;
  const run = (setting: TrialSetting, steps: readonly Step[]): Promise<TrialResult> => {
    trials++;
    return runTrial(setting, steps);
  };

  const first = await confirm(base, all, run);
  onProgress(
    `replayed ${plural(all.length, "action")}: ${first.result.failed ? "the same failure" : "no failure"} (${Math.round(elapsed() / 1_000)} s)`,
  );
  const { result, setting } = first;
  if (!result.failed) {
    const { skipped, others, unknown } = result;
    const rate = { failed: 0, of: first.attempts };
    return {
      reproduced: false,
      failure,
      recorded: recording.steps.length,
      rate,
      skipped,
      others,
      unknown,
      ms: elapsed(),
    };
  }

  const isFlaky = first.attempts > 1;
  const maxMs = options.maxMs ?? DEFAULT_MAX_MS;
  const isOver = (): boolean => elapsed() > maxMs * 0.8;
  const jobs = options.jobs ?? Math.max(2, Math.min(MAX_JOBS, availableParallelism()));
  let fewest = result.done.length;
  const steps = await ddmin(result.done, {
    ...{ jobs, isOver, keyOf: ({ id }) => id },
    async test(items) {
      for (let i = 0; i < (isFlaky ? FLAKY_RUNS : 1); i++) {
        const { failed, done } = await run(setting, items);
        if (!failed) continue;
        if (done.length < fewest)
          onProgress(done.length === 1 ? "1 action is enough" : `${done.length} actions are enough`);
        fewest = Math.min(fewest, done.length);
        return done;
      }
      return undefined;
    },
  });
  const isMinimal = !isOver();
  const final = await simplest(setting, steps, jobs, run);
  const excerpt = chosen.place && (await maps.excerpt(chosen.place, recording.url).catch(() => undefined));
  const written = await writeReproduction({
    ...{ options, setting: final.setting, steps, rate: final.rate, isMinimal, trials, ms: elapsed() },
    excerpt,
  });
  return {
    ...{ reproduced: true, failure, steps, recorded: recording.steps.length, rate: final.rate, isMinimal },
    ...{ timed: final.setting.timed, trials, ms: elapsed(), files: written },
  };
}

type Base = Omit<TrialSetting, "timed" | "stepTimeoutMs">;
type Run = (setting: TrialSetting, steps: readonly Step[]) => Promise<TrialResult>;

const timedSetting = (base: Base): TrialSetting => ({
  ...base,
  timed: true,
  stepTimeoutMs: TIMED_STEP_TIMEOUT_MS,
});
const untimedSetting = (base: Base): TrialSetting => ({
  ...base,
  timed: false,
  stepTimeoutMs: STEP_TIMEOUT_MS,
});

/** Replays everything until it fails: with the times of the recording first, as far as the network allows that. */
async function confirm(
  base: Base,
  steps: readonly Step[],
  run: Run,
): Promise<{ result: TrialResult; setting: TrialSetting; attempts: number }> {
  const settings =
    base.network === "live" ? [untimedSetting(base)] : [timedSetting(base), untimedSetting(base)];
  let attempts = 0;
  for (;;) {
    const setting = settings[attempts % settings.length] as TrialSetting;
    attempts++;
    const result = await run(setting, steps);
    // The second attempt is the first one of another kind, which says nothing about chance.
    if (result.failed) return { result, setting, attempts: Math.max(1, attempts - settings.length + 1) };
    if (attempts >= FIRST_ATTEMPTS) return { result, setting, attempts };
  }
}

/** How often the fewest steps fail, without the times of the recording if they are not needed. */
async function simplest(
  setting: TrialSetting,
  steps: readonly Step[],
  jobs: number,
  run: Run,
): Promise<{ setting: TrialSetting; rate: Rate }> {
  const rateOf = async (tried: TrialSetting): Promise<Rate> => {
    let failed = 0;
    for (let i = 0; i < RATE_RUNS; i += jobs) {
      const runs = Array.from({ length: Math.min(jobs, RATE_RUNS - i) }, () => run(tried, steps));
      failed += (await Promise.all(runs)).filter((result) => result.failed).length;
    }
    return { failed, of: RATE_RUNS };
  };
  if (setting.timed) {
    const untimed = untimedSetting(setting);
    // A test without control of the clock is easier to read, if it fails as reliably.
    if ((await run(untimed, steps)).failed) {
      const rate = await rateOf(untimed);
      if (rate.failed === rate.of) return { setting: untimed, rate };
    }
  }
  return { setting, rate: await rateOf(setting) };
}
