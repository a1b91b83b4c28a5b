import { type BuildError, EDIT_OUTCOME_TEXTS } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { EditorLink } from "../editor/editor-link.js";
import { type Fields, fieldsOf, listOf, textOf } from "./fields.js";
import { ReceiptView } from "./receipt-view.js";
import type { BodyProps } from "./request/body.js";
import { Facts, Section } from "./section.js";

/** Files that somebody saved, what the development server made of them, and what that changed in the page. */
export function EditDetails({ details: { record, related }, reader, timeline, why }: BodyProps): ReactNode {
  const isEdit = record.type === "edit";
  const results = isEdit ? related : [record];
  return (
    <>
      {isEdit && <Edit edit={fieldsOf(record.data)} {...{ reader, timeline }} />}
      {why}
      <Section title="What it changed">
        {results.length === 0 && <p>Its effects are not known yet, or no longer stored.</p>}
        {results.map(({ sequence, data }) => (
          <ReceiptView key={sequence} receipt={fieldsOf(data).receipt} />
        ))}
      </Section>
    </>
  );
}

/** Files that are listed. */
const MAX_FILES = 20;

function Edit({
  edit,
  reader,
  timeline,
}: Pick<BodyProps, "reader" | "timeline"> & { readonly edit: Fields }): ReactNode {
  const { message, file, line, frame } = fieldsOf(edit.error) as Partial<BuildError>;
  const outcome = textOf(edit.outcome);
  const files = listOf(edit.files).map(String);
  return (
    <Section title="Edit">
      <ul className="edited" aria-label="Files">
        {files.slice(0, MAX_FILES).map((file) => (
          <li key={file}>
            <code>{visibleText(file)}</code> <EditorLink {...{ reader, timeline }} at={file} />
          </li>
        ))}
        {files.length > MAX_FILES && <li>{files.length - MAX_FILES} more files</li>}
      </ul>
      <Facts
        facts={[
          ["Outcome", outcome === undefined ? undefined : (EDIT_OUTCOME_TEXTS[outcome] ?? outcome)],
          ["Build error", textOf(message)],
          ["Where", textOf(file) && `${file}${typeof line === "number" ? `:${line}` : ""}`],
        ]}
      />
      {typeof frame === "string" && <pre dir="auto">{visibleText(frame)}</pre>}
    </Section>
  );
}
