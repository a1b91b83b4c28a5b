import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { SourceMaps } from "../source-maps/source-maps.js";
import { launchForTrials } from "./browser.js";
import type { Failure, Step } from "./recording/types.js";
import { runTrial } from "./replay/trial.js";
import type { Rate } from "./reproduce.js";
import type { SavedReproduction } from "./saved.js";

const RUNS = 3;
/** A failure that came rarely is looked for more often before it counts as fixed. */
const FLAKY_RUNS = 10;
const STEP_TIMEOUT_MS = 2_000;

export interface VerifyOptions {
  /** The folder that a reproduction was written to. */
  readonly folder: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly storageState?: string | undefined;
  readonly chromePath?: string | undefined;
}

/** `unknown`: a step could not be done, so the page did not get to where the failure was. */
export interface Verification {
  readonly outcome: "fixed" | "not_fixed" | "unknown";
  readonly failure: Failure;
  readonly rate: Rate;
  readonly skipped: readonly Step[];
}

/** Replays the steps of a reproduction again, after a fix. */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const saved = readSaved(options.folder);
  const { failure, steps, timed, network, rate } = saved;
  const recording = { ...saved.recording, steps, failures: [failure] };
  const browser = await launchForTrials(options.chromePath);
  try {
    const { secrets = {}, storageState } = options;
    const setting = {
      browser,
      recording,
      failure,
      network,
      timed,
      secrets,
      storageState,
      stepTimeoutMs: STEP_TIMEOUT_MS,
    };
    const runs = rate.failed < rate.of ? FLAKY_RUNS : RUNS;
    let failed = 0;
    let skipped: readonly Step[] = [];
    for (let i = 0; i < runs && failed === 0; i++) {
      // Sources may have changed since the last run.
      const result = await runTrial(
        { ...setting, maps: new SourceMaps(), failure: withoutLine(failure) },
        steps,
      );
      if (result.failed) failed++;
      else if (result.skipped.length > 0) skipped = result.skipped;
    }
    const outcome = failed > 0 ? "not_fixed" : skipped.length > 0 ? "unknown" : "fixed";
    return { outcome, failure, rate: { failed, of: failed > 0 ? 1 : runs }, skipped };
  } finally {
    await browser.close();
  }
}

/** An edit moves lines, so after one the same message is the same failure wherever it is thrown. */
function withoutLine({ place: _place, ...failure }: Failure): Failure {
  return failure;
}

function readSaved(folder: string): SavedReproduction {
  const file = join(folder, "reproduction.json");
  try {
    const saved = JSON.parse(readFileSync(file, "utf8")) as SavedReproduction;
    if (saved.version === 1 && Array.isArray(saved.steps)) return saved;
  } catch {
    // The same advice.
  }
  throw new BridgeError(
    "invalid_message",
    `${file} is not a reproduction; name a folder that debug-bridge record reproduce wrote`,
  );
}
