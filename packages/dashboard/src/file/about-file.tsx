import { Modal } from "@debug-bridge/ui/components/modal.js";
import { Info } from "lucide-react";
import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { ContentsList } from "../share/contents-list.js";
import type { RecordingFile } from "./recording-file.js";

/** What is in the file that is shown, and what of it could not be read. */
export function AboutFile({ file }: { readonly file: RecordingFile }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Info aria-hidden /> What is in this file
      </button>
      {isOpen &&
        createPortal(
          <Modal className="share" title="What is in this file" onClose={() => setOpen(false)}>
            {file.contents ? (
              <ContentsList contents={file.contents} />
            ) : (
              <p>{file.count.toLocaleString("en")} records. The file says nothing else about itself.</p>
            )}
            {file.skipped > 0 && (
              <p className="warn">
                {file.skipped.toLocaleString("en")} lines are not records, or too long, and were left out.
              </p>
            )}
            {file.isCut && (
              <p className="warn">The file is too large for this page, so only its beginning was read.</p>
            )}
          </Modal>,
          // A dialog has its own header, which is not for inside the header of the page.
          document.body,
        )}
    </>
  );
}
