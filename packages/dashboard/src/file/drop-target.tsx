import { type ReactNode, useEffect, useState } from "react";
import { droppedFiles } from "./given-files.js";
import type { GivenFile } from "./read-recording.js";

/** Takes files that are dropped anywhere on the page. Without it, the browser would leave the page to show them. */
export function DropTarget({
  onFiles,
}: {
  readonly onFiles: (given: readonly GivenFile[]) => void;
}): ReactNode {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      droppedFiles(event.dataTransfer).then(onFiles, () => {});
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    };
  }, [onFiles]);
  return isOver ? <div className="drop-target">Drop it to open the recording</div> : null;
}
