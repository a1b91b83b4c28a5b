import { plainText } from "@debug-bridge/page/inert";
import type { BodyOf } from "@debug-bridge/page/records";
import { CONSOLE_LIMITS, type ConsoleArgument, type ConsoleLevel } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { MainWorld } from "../engine/main-world.js";
import { type AsyncStack, type ChainRecorder, chainOf } from "./chain.js";
import { isOurScript } from "./our-frames.js";
import { type RemoteObject, toArgument } from "./remote-object.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface ConsoleCalled {
  readonly type: string;
  readonly args: readonly RemoteObject[];
  readonly executionContextId: number;
  readonly timestamp?: number;
  readonly stackTrace?: AsyncStack;
}

/** CDP's names for calls, where they differ from the methods of the console. */
const METHODS: Record<string, string> = {
  warning: "warn",
  startGroup: "group",
  startGroupCollapsed: "groupCollapsed",
  endGroup: "groupEnd",
};
const LEVELS: Record<string, ConsoleLevel> = { info: "info", warn: "warn", error: "error", assert: "error" };
const LABEL: ConsoleArgument = { type: "string", value: "Assertion failed" };

/** Lines for which the browser keeps what started their code. */
const WHOLE: ReadonlySet<string> = new Set(["error", "warn", "assert", "trace"]);

/** Reports what the page prints. The page describes its objects, in the order of the calls. */
export function captureConsole(
  cdp: CdpSession,
  pipeline: TelemetryPipeline,
  mainWorld: MainWorld,
  chains: ChainRecorder,
): void {
  cdp.on("Runtime.consoleAPICalled", (event: ConsoleCalled) => {
    const method = METHODS[event.type] ?? event.type;
    const level = LEVELS[method] ?? "log";
    const shown = event.args.slice(0, CONSOLE_LIMITS.args - 1);
    const caller = event.stackTrace?.callFrames.find(({ url }) => !isOurScript(url));
    const chain = chainOf(event.stackTrace, chains, WHOLE.has(method));
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
        ...chain,
      };
    };
    const known = shown.map(toArgument);
    if (known.every((value) => value !== undefined)) pipeline.add(record(known));
    else pipeline.add(mainWorld.describe(shown, event.executionContextId).then(record));
  });
}
