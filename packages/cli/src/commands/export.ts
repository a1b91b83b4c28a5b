import { dirname } from "node:path";
import { type AgentRecord, otlpBody, sendSpans, spansOf } from "@debug-bridge/agent/otel";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { parseEvent } from "../agent/event-line.js";
import { eventsFile } from "../agent/events-file.js";
import { VERSION } from "../version.js";

interface ExportOptions {
  readonly otlp?: string;
  readonly content?: boolean;
  readonly dir?: string;
}

export function exportCommand(): Command {
  return new Command("export")
    .description("export a recorded run as OpenTelemetry spans, by the GenAI conventions")
    .argument("<file-or-session>", "an events.jsonl, a session's folder, its id, or current")
    .option("--otlp <url>", "send them to this receiver of OTLP over HTTP; printed as JSON otherwise")
    .option("--content", "with what was said, and what tools were given and returned")
    .option("--dir <dir>", "where the sessions are (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .addHelpText(
      "after",
      `
Headers for the receiver are taken from OTEL_EXPORTER_OTLP_HEADERS: key=value,key=value.

Examples:
  debug-bridge export current --otlp http://127.0.0.1:4318
  debug-bridge export ab12 --content > spans.json`,
    )
    .action(exportRun);
}

async function exportRun(name: string, options: ExportOptions): Promise<void> {
  const spans = spansOf(records(eventsFile(name, options.dir)), { content: options.content ?? false });
  if (spans.length === 0) throw new BridgeError("session_not_found", `${name} holds no events`);
  if (options.otlp === undefined) {
    process.stdout.write(`${JSON.stringify(otlpBody(spans, VERSION), null, 2)}\n`);
    return;
  }
  await sendSpans(spans, { url: options.otlp, headers: headersOf(process.env), version: VERSION });
  process.stdout.write(`${spans.length} spans sent, trace ${spans[0]?.traceId}\n`);
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
