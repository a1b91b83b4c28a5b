import { join } from "node:path";
import { plural } from "@debug-bridge/protocol";
import { readRecording, reproduce, stepText, verify } from "@debug-bridge/runner/reproduce";
import { Command, InvalidArgumentError, Option } from "commander";
import { collect, parseCount, parseMilliseconds, withHome, withJson } from "../../options.js";
import { findRecording, recordedEvents } from "../../recording/find-recording.js";
import { failureText, reproductionLines } from "../../recording/reproduction-lines.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";

interface ReplayOptions {
  readonly secret: string[];
  readonly storage?: string;
  readonly json?: boolean;
}

interface ReproduceCommandOptions extends ReplayOptions {
  readonly home?: string;
  readonly outDir?: string;
  readonly network: "recorded" | "live";
  readonly error?: string;
  readonly shows?: string;
  readonly jobs?: number;
  readonly maxTime?: number;
}

/** Options of both commands that replay. */
function withReplay(command: Command): Command {
  return withJson(command)
    .option("--secret <name=value>", "text that was typed but not recorded (repeatable)", collectSecret, [])
    .option("--storage <file>", "cookies and storage to start with, as Playwright saves them");
}

export function reproduceCommand(): Command {
  const command = withReplay(withHome(new Command("reproduce")))
    .description("find the fewest actions that still fail; write a test")
    .argument("[recording]", "an id, the end of one, a session, or a file; the newest if left out")
    .option("--out-dir <dir>", "folder for the test, the HAR and the report (default: reproductions/ID)")
    .addOption(
      new Option("--network <from>", "where answers to scripts come from")
        .choices(["recorded", "live"])
        .default("recorded"),
    )
    .option("--error <text>", "part of the error's message (default: the last uncaught error)")
    .option("--shows <text>", "what the page wrongly shows at the end, if there is no error")
    .option("--jobs <n>", "number of parallel replays", parseCount)
    .option("--max-time <time>", "time limit for shrinking, such as 2m", parseMilliseconds)
    .action(runReproduce);
  return addDetails(command, {
    notes:
      "The app's server must run: pages and code come from it, answers to scripts from the recording. It writes reproduction.spec.mts for Playwright Test, which fails now and passes when the bug is fixed.",
    examples: [
      "debug-bridge record reproduce",
      "debug-bridge record reproduce ab12 --error 'reading name'",
      "debug-bridge record reproduce local-dev --shows 'Total: 30' --out-dir bug",
    ],
  });
}

async function runReproduce(name: string | undefined, options: ReproduceCommandOptions): Promise<void> {
  const { id, file } = findRecording(name, options.home);
  const recording = readRecording(recordedEvents(file));
  const { network, error, shows, jobs, storage } = options;
  const out = options.outDir ?? join("reproductions", id);
  const result = await reproduce({
    ...{ recording, out, network, error, shows, jobs, storageState: storage, secrets: secretsOf(options) },
    ...(options.maxTime === undefined ? {} : { maxMs: options.maxTime }),
    onProgress: (text) => printMessage(text),
  });
  if (options.json) await printJson({ recording: id, out, ...result });
  else for (const line of reproductionLines(result, out, options)) printLine(line);
  if (!result.reproduced) process.exitCode = 1;
}

export function verifyCommand(): Command {
  const command = withReplay(new Command("verify"))
    .description("replay a reproduction and report whether it is fixed")
    .argument("<folder>", "the folder that reproduce wrote")
    .action(runVerify);
  return addDetails(command, {
    notes: "The exit code is 0 when it is fixed, and 1 when it is not or when a step is no longer possible.",
    examples: ["debug-bridge record verify reproductions/debug_20260123_131000_ab12"],
  });
}

async function runVerify(folder: string, options: ReplayOptions): Promise<void> {
  const result = await verify({ folder, secrets: secretsOf(options), storageState: options.storage });
  const { outcome, failure, rate, skipped } = result;
  if (options.json) await printJson(result);
  else if (outcome === "fixed")
    printLine(`fixed: ${failureText(failure)} did not happen in ${rate.of} replays`);
  else if (outcome === "not_fixed") printLine(`not fixed: ${failureText(failure)} happened again`);
  else
    printLine(
      `not known: it did not happen, but ${plural(skipped.length, "step")} of the reproduction ${skipped.length === 1 ? "is" : "are"} no longer possible: ${skipped.map((step) => stepText(step)).join("; ")}`,
    );
  if (outcome !== "fixed") process.exitCode = 1;
}

function collectSecret(value: string, earlier: string[]): string[] {
  if (!/^[^=]+=/.test(value)) throw new InvalidArgumentError("A secret looks like password=value.");
  return collect(value, earlier);
}

function secretsOf({ secret }: ReplayOptions): Record<string, string> {
  const pairs = secret.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
