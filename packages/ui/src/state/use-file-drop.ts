import { useEffect, useRef, useState } from "react";

/** Takes files that are dropped anywhere in the window. Returns whether some are held over it. */
export function useFileDrop(onDropped: (dropped: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDropped);
  latest.current = onDropped;
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would leave the page and show the file.
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
      latest.current(event.dataTransfer);
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);
  return isOver;
}
