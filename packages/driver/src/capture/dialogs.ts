import type { CdpSession } from "../cdp.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface DialogOpening {
  readonly type: "alert" | "confirm" | "prompt" | "beforeunload";
  readonly message: string;
}

/**
 * Dialogs stop a page until someone answers. When no person is there to answer, they are answered here with the answer
 * that changes least, and both the text and the answer are reported.
 */
export function answerDialogs(cdp: CdpSession, pipeline: TelemetryPipeline, mayAnswer: () => boolean): void {
  cdp.on("Page.javascriptDialogOpening", ({ type, message }: DialogOpening) => {
    const report = (...lines: string[]): void =>
      pipeline.add({ type: "console", level: "info", method: type, args: lines });
    report(message);
    if (!mayAnswer()) return;
    // An alert has one answer, and a navigation that was requested may leave the page.
    const accept = type === "alert" || type === "beforeunload";
    cdp.send("Page.handleJavaScriptDialog", { accept }).catch(() => {});
    if (type !== "alert") report(message, `answered ${accept ? "OK" : "Cancel"} by the bridge`);
  });
}
