import { partId, SHARED_PARTS } from "@debug-bridge/protocol/timeline";
import { RecordingFile } from "./recording-file.js";

/** The recording that this page itself holds. */
export function readEmbedded(): RecordingFile {
  const recording = new RecordingFile("recording");
  for (const part of SHARED_PARTS) {
    const element = document.getElementById(partId(part));
    for (const line of (element?.textContent ?? "").split("\n")) recording.addLine(part, line);
    // What was read is kept once.
    element?.remove();
  }
  return recording;
}
