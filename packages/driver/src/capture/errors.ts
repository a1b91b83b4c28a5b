import { plainText } from "@debug-bridge/page/inert";
import type { TelemetryBody } from "@debug-bridge/page/records";
import type { ConsoleArgument } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { MainWorld } from "../engine/main-world.js";
import { type AsyncStack, type ChainRecorder, chainOf } from "./chain.js";
import { describedArgument, headlineOf, type RemoteObject, stackText, toArgument } from "./remote-object.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface ExceptionDetails {
  readonly text: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
  readonly url?: string;
  readonly stackTrace?: AsyncStack;
  readonly exception?: RemoteObject;
  readonly executionContextId?: number;
}

interface ExceptionThrown {
  readonly timestamp?: number;
  readonly exceptionDetails: ExceptionDetails;
}

/** Reports uncaught errors and unhandled rejections. */
export function captureErrors(
  cdp: CdpSession,
  pipeline: TelemetryPipeline,
  mainWorld: MainWorld,
  chains: ChainRecorder,
): void {
  cdp.on("Runtime.exceptionThrown", ({ timestamp, exceptionDetails: details }: ExceptionThrown) => {
    const { exception, executionContextId } = details;
    // What the browser replays to a new observer keeps its own time.
    const when = timestamp === undefined ? {} : { timestamp: Math.round(timestamp) };
    const chain = chainOf(details.stackTrace, chains);
    const record = (values: readonly ConsoleArgument[]): TelemetryBody => ({
      ...describe(details, values[0]),
      ...(values.length > 0 ? { values: [...values] } : {}),
      ...when,
      ...chain,
    });
    if (!exception) pipeline.add(record([]));
    else if (toArgument(exception) || executionContextId === undefined)
      pipeline.add(record([describedArgument(exception)]));
    else pipeline.add(mainWorld.describe([exception], executionContextId).then(record));
  });
}

function describe(details: ExceptionDetails, value: ConsoleArgument | undefined): TelemetryBody {
  const { text, url, lineNumber, columnNumber, stackTrace, exception } = details;
  const isError = exception?.subtype === "error";
  const described = isError ? (exception.description ?? "Error") : value ? plainText(value) : "";
  const headline = isError ? headlineOf(described) : described;
  const stack =
    isError && described.includes("\n    at ") ? described : stackText(headline || text, stackTrace);
  const own = stack === undefined ? {} : { stack };
  if (text.includes("(in promise)")) {
    const message = isError ? { message: headline.replace(/^[\w$.]*Error: /, "") } : {};
    return { type: "unhandledrejection", reason: described, ...message, ...own };
  }
  return {
    type: "error",
    message: headline ? `${text} ${headline}` : text,
    ...own,
    ...(url ? { filename: url } : {}),
    lineno: lineNumber + 1,
    colno: columnNumber + 1,
  };
}
