import { SquarePen } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { useChosenEditor } from "./chosen-editor.js";
import { EDITORS, editorAddress } from "./editors.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** The address of a script, or a path from the root of the project. */
  readonly at: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Opens a place in the person's editor. Shown only when its file is known to be on this machine. */
export function EditorLink({ reader, timeline, at, line, column }: Props): ReactNode {
  const editor = useChosenEditor();
  const file = useProjectFile(editor === "none" ? undefined : reader, timeline, at);
  if (editor === "none" || file === undefined) return null;
  const label = `Open in ${EDITORS[editor].name}`;
  return (
    <a
      className="editor-link"
      href={editorAddress(editor, { file, line, column })}
      aria-label={label}
      title={label}
    >
      <SquarePen aria-hidden />
    </a>
  );
}

function useProjectFile(
  reader: TimelineReader | undefined,
  { kind, id }: TimelineAddress,
  at: string,
): string | undefined {
  const [file, setFile] = useState<string>();
  useEffect(() => {
    setFile(undefined);
    if (!reader?.projectFile) return;
    const controller = new AbortController();
    reader.projectFile({ kind, id }, at, controller.signal).then(setFile, () => {});
    return () => controller.abort();
  }, [reader, kind, id, at]);
  return file;
}
