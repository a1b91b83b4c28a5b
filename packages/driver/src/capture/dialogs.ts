import type { CdpSession } from "../cdp.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface DialogOpening {
  readonly type: "alert" | "confirm" | "prompt" | "beforeunload";
  readonly message: string;
}

/**
 * Dialogs stop a page until someone answers. Where nobody sits before it, they are answered here, the way that
 * changes least, and both what they said and the answer are told.
 */
export function answerDialogs(cdp: CdpSession, pipeline: TelemetryPipeline, mayAnswer: () => boolean): void {
  cdp.on("Page.javascriptDialogOpening", ({ type, message }: DialogOpening) => {
    const tell = (...lines: string[]): void =>
      pipeline.add({ type: "console", level: "info", method: type, args: lines });
    tell(message);
    if (!mayAnswer()) return;
    // An alert has one answer, and a page that is being left was asked to be left.
    const accept = type === "alert" || type === "beforeunload";
    cdp.send("Page.handleJavaScriptDialog", { accept }).catch(() => {});
    if (type !== "alert") tell(message, `answered ${accept ? "OK" : "Cancel"} by the bridge`);
  });
}
