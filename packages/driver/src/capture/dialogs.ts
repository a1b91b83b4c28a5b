import type { CdpSession } from "../cdp.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface DialogOpening {
  readonly type: "alert" | "confirm" | "prompt" | "beforeunload";
  readonly message: string;
}

/**
 * Dialogs stop a page until someone answers. When nobody sits before it, they are answered here, the way that
 * changes least, and both their text and the answer are reported.
 */
export function answerDialogs(cdp: CdpSession, pipeline: TelemetryPipeline, mayAnswer: () => boolean): void {
  cdp.on("Page.javascriptDialogOpening", ({ type, message }: DialogOpening) => {
    const report = (...lines: string[]): void =>
      pipeline.add({ type: "console", level: "info", method: type, args: lines });
    report(message);
    if (!mayAnswer()) return;
    // An alert has one answer, and a page that is being left was asked to be left.
    const accept = type === "alert" || type === "beforeunload";
    cdp.send("Page.handleJavaScriptDialog", { accept }).catch(() => {});
    if (type !== "alert") report(message, `answered ${accept ? "OK" : "Cancel"} by the bridge`);
  });
}
