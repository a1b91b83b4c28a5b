import type { ConsoleLevel } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface EntryAdded {
  readonly entry: {
    readonly source: string;
    readonly level: string;
    readonly text: string;
    readonly url?: string;
    readonly lineNumber?: number;
  };
}

const LEVELS: Record<string, ConsoleLevel> = { error: "error", warning: "warn", info: "info" };

/** Reports what the browser itself logs: CORS, CSP, mixed content, failed loads, deprecations. */
export function captureBrowserLog(cdp: CdpSession, pipeline: TelemetryPipeline): void {
  cdp.on("Log.entryAdded", ({ entry: { source, level, text, url, lineNumber = 0 } }: EntryAdded) => {
    pipeline.add({
      type: "console",
      level: LEVELS[level] ?? "log",
      method: `browser:${source}`,
      // The place for an element that only DevTools could show.
      args: [url && source === "network" ? `${text} ${url}` : text.replace(/\s{0,10}%o$/, "")],
      ...(url ? { location: { url, line: lineNumber + 1, column: 1 } } : {}),
    });
  });
}
