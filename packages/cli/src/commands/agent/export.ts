import { dirname } from "node:path";
import { type AgentRecord, otlpBody, sendSpans, spansOf } from "@debug-bridge/agent/otel";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { parseEvent } from "../../agent/events/event-line.js";
import { eventsFile } from "../../agent/run/events-file.js";
import type { RootChoice } from "../../agent/session/choose-session.js";
import { parseHttpUrl, withDir, withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";
import { VERSION } from "../../version.js";

interface ExportOptions extends RootChoice {
  readonly otlp?: string;
  readonly content?: boolean;
  readonly json?: boolean;
}

export function exportCommand(): Command {
  const command = withDir(withJson(withHome(new Command("export"))))
    .description("export a recorded run as OpenTelemetry spans")
    .argument("<file-or-session>", "an events.jsonl, a session's folder, its id, or current")
    .option("--otlp <url>", "send them to this OTLP receiver instead of printing JSON", parseHttpUrl)
    .option("--content", "include messages, and inputs and results of tools")
    .action(exportRun);
  return addDetails(command, {
    notes:
      "The spans follow the GenAI conventions. Headers for the receiver are taken from OTEL_EXPORTER_OTLP_HEADERS: key=value,key=value.",
    examples: [
      "debug-bridge agent export current --otlp http://127.0.0.1:4318",
      "debug-bridge agent export ab12 --content > spans.json",
    ],
  });
}

async function exportRun(name: string, options: ExportOptions): Promise<void> {
  const spans = spansOf(records(eventsFile(name, options)), { content: options.content ?? false });
  if (spans.length === 0) throw new BridgeError("session_not_found", `${name} has no events`);
  if (options.otlp === undefined) {
    await printJson(otlpBody(spans, VERSION), 2);
    return;
  }
  await sendSpans(spans, { url: options.otlp, headers: headersOf(process.env), version: VERSION });
  const traceId = spans[0]?.traceId;
  if (options.json) await printJson({ sent: spans.length, traceId });
  else printLine(`${spans.length} spans sent, trace ${traceId}`);
}

function* records(file: string): Generator<AgentRecord> {
  const blobs = new BlobStore(dirname(file));
  for (const { text } of readLines(file)) {
    const event = parseEvent(text);
    if (event) yield blobs.resolve(event) as AgentRecord;
  }
}

function headersOf({ OTEL_EXPORTER_OTLP_HEADERS: text = "" }: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = text.split(",").map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair));
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair ? [[pair[1], decodeURIComponent(pair[2] ?? "")]] : [])),
  );
}
