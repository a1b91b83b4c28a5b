import { plainText } from "@debug-bridge/page/inert";
import type { BodyOf } from "@debug-bridge/page/records";
import { CONSOLE_LIMITS, type ConsoleArgument, type ConsoleLevel } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { MainWorld } from "../engine/main-world.js";
import { type RemoteObject, type StackTrace, toArgument } from "./remote-object.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface ConsoleCalled {
  readonly type: string;
  readonly args: readonly RemoteObject[];
  readonly executionContextId: number;
  readonly timestamp?: number;
  readonly stackTrace?: StackTrace;
}

/** CDP's names for calls, where they differ from the methods of the console. */
const METHODS: Record<string, string> = {
  warning: "warn",
  startGroup: "group",
  startGroupCollapsed: "groupCollapsed",
  endGroup: "groupEnd",
};
const LEVELS: Record<string, ConsoleLevel> = { info: "info", warn: "warn", error: "error", assert: "error" };
/** When the extension shows the page's console in a terminal, its script is between the page and the browser. */
const OUR_SCRIPTS = "debug-bridge://";
const LABEL: ConsoleArgument = { type: "string", value: "Assertion failed" };

/** Reports what the page prints. The page describes its objects, in the order of the calls. */
export function captureConsole(cdp: CdpSession, pipeline: TelemetryPipeline, mainWorld: MainWorld): void {
  cdp.on("Runtime.consoleAPICalled", (event: ConsoleCalled) => {
    const method = METHODS[event.type] ?? event.type;
    const level = LEVELS[method] ?? "log";
    const shown = event.args.slice(0, CONSOLE_LIMITS.args - 1);
    const caller = event.stackTrace?.callFrames.find(({ url }) => !url.startsWith(OUR_SCRIPTS));
    const record = (described: readonly ConsoleArgument[]): BodyOf<"console"> => {
      const values = method === "assert" ? [LABEL, ...described] : [...described];
      return {
        type: "console",
        level,
        args: values.map(plainText),
        values,
        // What the browser replays to a new observer keeps its own time.
        ...(event.timestamp === undefined ? {} : { timestamp: Math.round(event.timestamp) }),
        ...(method === level ? {} : { method }),
        ...(caller
          ? { location: { url: caller.url, line: caller.lineNumber + 1, column: caller.columnNumber + 1 } }
          : {}),
      };
    };
    const known = shown.map(toArgument);
    if (known.every((value) => value !== undefined)) pipeline.add(record(known));
    else pipeline.add(mainWorld.describe(shown, event.executionContextId).then(record));
  });
}
