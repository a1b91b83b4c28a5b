import type { CdpSession } from "../cdp.js";
import type { Intake } from "../intake.js";
import { plainText, type RemoteObject, type StackTrace, stackText } from "./remote-object.js";

interface ExceptionThrown {
  readonly exceptionDetails: {
    readonly text: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
    readonly url?: string;
    readonly stackTrace?: StackTrace;
    readonly exception?: RemoteObject;
  };
}

/** Reports uncaught errors and unhandled rejections. */
export function captureErrors(cdp: CdpSession, intake: Intake): void {
  cdp.on("Runtime.exceptionThrown", ({ exceptionDetails: details }: ExceptionThrown) => {
    const { text, url, lineNumber, columnNumber, stackTrace, exception } = details;
    const described = exception ? (plainText(exception) ?? exception.description ?? exception.type) : "";
    const isError = exception?.subtype === "error";
    const headline = isError ? (described.split("\n    at ")[0] ?? described) : described;
    const stack =
      isError && described.includes("\n    at ") ? described : stackText(headline || text, stackTrace);
    const own = stack === undefined ? {} : { stack };
    if (text.includes("(in promise)")) {
      const message = isError ? { message: headline.replace(/^[\w$.]*Error: /, "") } : {};
      intake.put({ type: "unhandledrejection", reason: described, ...message, ...own });
      return;
    }
    intake.put({
      type: "error",
      message: headline ? `${text} ${headline}` : text,
      ...own,
      ...(url ? { filename: url } : {}),
      lineno: lineNumber + 1,
      colno: columnNumber + 1,
    });
  });
}
