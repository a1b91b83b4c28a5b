import { writeFileSync } from "node:fs";
import { harOf, readRecording, stepText } from "@debug-bridge/runner/reproduce";
import { Command } from "commander";
import { withHome, withJson } from "../../options.js";
import { findRecording, recordedEvents } from "../../recording/find-recording.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";

interface ExportOptions {
  readonly home?: string;
  readonly har?: string;
  readonly json?: boolean;
}

export function exportCommand(): Command {
  const command = withJson(withHome(new Command("export")))
    .description("print the steps of a recording, or write its requests")
    .argument("[recording]", "an id, the end of one, a session, or a file; the newest if left out")
    .option("--har <file>", "write the requests of scripts to a HAR file")
    .action(async (name: string | undefined, options: ExportOptions) => {
      const { id, file } = findRecording(name, options.home);
      const recording = readRecording(recordedEvents(file));
      const { steps, exchanges, failures, time, url } = recording;
      if (options.har !== undefined) writeFileSync(options.har, harOf(exchanges, time));
      if (options.json) await printJson({ id, url, steps, failures, requests: exchanges.length });
      else if (options.har !== undefined) printLine(`${exchanges.length} requests written to ${options.har}`);
      else {
        printLine(`go to ${url}`);
        for (const step of steps)
          printLine(`${(step.at / 1_000).toFixed(1).padStart(7)} s  ${stepText(step)}`);
        for (const { message } of failures) printLine(`error: ${message}`);
      }
    });
  return addDetails(command, {
    examples: ["debug-bridge record export", "debug-bridge record export ab12 --har network.har"],
  });
}
