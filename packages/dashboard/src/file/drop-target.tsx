import { useFileDrop } from "@debug-bridge/ui/state/use-file-drop.js";
import type { ReactNode } from "react";
import { droppedFiles } from "./given-files.js";
import type { GivenFile } from "./read-recording.js";

/** Opens files that are dropped anywhere on the page. */
export function DropTarget({
  onFiles,
}: {
  readonly onFiles: (given: readonly GivenFile[]) => void;
}): ReactNode {
  const isOver = useFileDrop((dropped) => void droppedFiles(dropped).then(onFiles, () => {}));
  return isOver ? <div className="drop-target">Drop to open the recording</div> : null;
}
