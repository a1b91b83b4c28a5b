import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceExcerpt } from "@debug-bridge/protocol";
import type { Step } from "../recording/types.js";
import { runTrial, type TrialResult, type TrialSetting } from "../replay/trial.js";
import type { Rate, ReproduceOptions } from "../reproduce.js";
import type { SavedReproduction } from "../saved.js";
import { harOf } from "./har.js";
import { testSource } from "./playwright-test.js";
import { reportText } from "./report.js";

const PICTURE_QUALITY = 60;
const MAX_PICTURES = 30;

export interface Written {
  readonly options: ReproduceOptions;
  readonly setting: TrialSetting;
  readonly steps: readonly Step[];
  readonly rate: Rate;
  readonly isMinimal: boolean;
  readonly trials: number;
  readonly ms: number;
  /** The code around the failure. */
  readonly excerpt: SourceExcerpt | undefined;
}

/** Writes the test, the requests, the report with pictures, and what `verify` needs. Returns the names of the files. */
export async function writeReproduction(written: Written): Promise<string[]> {
  const { options, setting, steps, rate, excerpt } = written;
  const { recording, failure, timed, network } = setting;
  const { out } = options;
  mkdirSync(out, { recursive: true });
  const files: string[] = [];
  const write = (name: string, data: string | Buffer): void => {
    writeFileSync(join(out, name), data);
    files.push(name);
  };
  const pictures: string[] = [];
  const last = await runTrial(
    {
      ...setting,
      async onStep(page, done) {
        if (done > MAX_PICTURES) return;
        const data = await page.screenshot({ type: "jpeg", quality: PICTURE_QUALITY }).catch(() => undefined);
        if (!data) return;
        pictures[done] = `step-${done}.jpg`;
        write(`step-${done}.jpg`, data);
      },
    },
    steps,
  );
  const exchanges = recording.exchanges.filter((each) => last.used.includes(each));
  const usesNetwork = network === "recorded" && (exchanges.length > 0 || last.unknown.length > 0);
  const { found } = last;
  write(
    "reproduction.spec.mts",
    testSource({ recording, failure, steps, found, timed, network, usesNetwork }),
  );
  if (timed || usesNetwork) {
    write("network.har", harOf(exchanges, recording.time));
    copyFileSync(fileURLToPath(new URL("../replay/replay.js", import.meta.url)), join(out, "replay.mjs"));
    files.push("replay.mjs");
  }
  const notes = notesOf(setting, last);
  const { isMinimal, trials, ms } = written;
  write(
    "report.md",
    reportText({
      recording,
      failure,
      steps,
      found,
      rate,
      isMinimal,
      timed,
      excerpt,
      pictures,
      notes,
      trials,
      ms,
    }),
  );
  const { steps: _steps, failures: _failures, ...rest } = recording;
  const saved: SavedReproduction = {
    version: 1,
    recording: { ...rest, exchanges },
    ...{ failure, steps, timed, network, rate },
  };
  write("reproduction.json", `${JSON.stringify(saved, null, 2)}\n`);
  return files;
}

function notesOf({ network }: TrialSetting, { unknown }: TrialResult): string[] {
  const missing = unknown.slice(0, 10).map((request) => `${request} is not in the recording`);
  return [
    network === "live"
      ? "Requests go to the server."
      : "Requests of scripts are answered from the recording; the page and its code come from its server.",
    ...missing.map(
      (text) =>
        `${text}${text.startsWith("GET") || text.startsWith("HEAD") ? ", so the server was asked" : ", so it was blocked"}.`,
    ),
  ];
}
