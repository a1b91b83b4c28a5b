import type { BodyOf } from "@debug-bridge/page/records";
import { type ConsoleLevel, FIELD_LIMITS } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { Intake } from "../intake.js";
import type { MainWorld } from "../main-world.js";
import { plainText, type RemoteObject, type StackTrace } from "./remote-object.js";

interface ConsoleCalled {
  readonly type: string;
  readonly args: readonly RemoteObject[];
  readonly executionContextId: number;
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
/** Where the extension shows the page's console in a terminal, its script stands between the page and the browser. */
const OUR_SCRIPTS = "debug-bridge://";
/** These print nothing of their own. */
const SILENT = new Set(["groupEnd"]);

/** Reports what the page prints. Objects are described by the page, in the order of the calls. */
export function captureConsole(cdp: CdpSession, intake: Intake, mainWorld: MainWorld): void {
  cdp.on("Runtime.consoleAPICalled", ({ type, args, executionContextId, stackTrace }: ConsoleCalled) => {
    const method = METHODS[type] ?? type;
    if (SILENT.has(method)) return;
    const level = LEVELS[method] ?? "log";
    const shown = args.slice(0, FIELD_LIMITS.consoleArgs);
    const caller = stackTrace?.callFrames.find(({ url }) => !url.startsWith(OUR_SCRIPTS));
    const record = (texts: readonly string[]): BodyOf<"console"> => ({
      type: "console",
      level,
      args: method === "assert" ? ["Assertion failed", ...texts] : [...texts],
      ...(method === level ? {} : { method }),
      ...(caller
        ? { location: { url: caller.url, line: caller.lineNumber + 1, column: caller.columnNumber + 1 } }
        : {}),
    });
    const plain = shown.map(plainText);
    if (plain.every((text) => text !== undefined)) intake.put(record(plain));
    else intake.put(mainWorld.describe(shown, executionContextId).then(record));
  });
}
