import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { FileUp, FolderUp } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { chosenFiles } from "./given-files.js";
import type { OpenedFiles } from "./use-opened-files.js";

/** Opens a recording that is a file or a folder on this machine. It stays in this page. */
export function OpenFile({ open, isReading, problem }: OpenedFiles): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  return (
    <section aria-labelledby="open-file" className="open-file">
      <h2 id="open-file">Open a file</h2>
      <p className="quiet">
        A file that somebody shared, an <code>events.jsonl</code>, or the folder of a recording: drop it on
        this page, or choose it. Nothing in it is run, and nothing is sent anywhere.
      </p>
      <p className="buttons">
        <button type="button" disabled={isReading} onClick={() => file.current?.click()}>
          <FileUp aria-hidden /> {isReading ? "Reading…" : "Open a file"}
        </button>
        <button type="button" disabled={isReading} onClick={() => folder.current?.click()}>
          <FolderUp aria-hidden /> Open a folder
        </button>
      </p>
      {problem !== undefined && (
        <p className="error" role="alert">
          {visibleText(problem)}
        </p>
      )}
      <input
        ref={file}
        hidden
        type="file"
        aria-label="File"
        accept=".html,.htm,.jsonl,.ndjson"
        onChange={({ target }) => {
          open(chosenFiles(target.files));
          target.value = "";
        }}
      />
      <input
        ref={(element) => {
          folder.current = element;
          // React has no type for it.
          if (element) element.webkitdirectory = true;
        }}
        hidden
        type="file"
        aria-label="Folder"
        onChange={({ target }) => {
          open(chosenFiles(target.files));
          target.value = "";
        }}
      />
    </section>
  );
}
