import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { saveFile } from "@debug-bridge/ui/components/save-file.js";
import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { readAll, type TimelineAddress, type TimelineReader } from "../../data/timeline-reader.js";
import { harOf } from "./har.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  onProblem(message: string): void;
}

/** Saves the requests that the hub still knows as a file for other tools. */
export function ExportHar({ reader, timeline, onProblem }: Props): ReactNode {
  const [isRunning, setRunning] = useState(false);
  const save = async (): Promise<void> => {
    setRunning(true);
    try {
      const har = harOf(await readAll(reader, timeline, ["network", "request", "frame"]));
      saveFile(
        `${timeline.id.replaceAll(/[^\w.-]/g, "_")}.har`,
        JSON.stringify(har, null, 2),
        "application/json",
      );
    } catch (thrown) {
      onProblem(`The requests cannot be saved: ${(thrown as Error).message}`);
    }
    setRunning(false);
  };
  return (
    <IconButton
      label="Save the requests as HAR"
      disabled={isRunning}
      onClick={() => void save()}
      icon={<Download aria-hidden />}
    />
  );
}
