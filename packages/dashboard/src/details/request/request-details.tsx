import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { durationText, exactClockTime, sizeText } from "../../session/clock.js";
import { fieldsOf, numberOf, textOf } from "../fields.js";
import { Facts, Section } from "../section.js";
import { ValueTree } from "../values/value-tree.js";
import type { BodyProps } from "./body.js";
import { HeaderList } from "./header-list.js";
import { asCurl, asFetch, hasMasked, type RequestParts, requestParts } from "./request-parts.js";
import { Waterfall } from "./waterfall.js";

/** A request with its answer, or a socket with its frames. */
export function RequestDetails({ details: { record, related }, why }: BodyProps): ReactNode {
  const all = [...related, record].sort((a, b) => a.sequence - b.sequence);
  const parts = requestParts(all);
  const { method, url } = parts;
  return (
    <>
      <Section title="Request">
        <Facts
          facts={[
            ["Method", method],
            ["Address", url],
            ["By", textOf(fieldsOf(record.data).api)],
            ["Resource", textOf(fieldsOf(record.data).resourceType)],
            ["Sent", size(parts.requestBytes)],
            [
              "Initiator",
              parts.initiator && [parts.initiator.type, parts.initiator.place].filter(Boolean).join(" "),
            ],
          ]}
        />
        <p className="buttons">
          <CopyText label="cURL" text={asCurl(parts)} />
          <CopyText label="fetch" text={asFetch(parts)} />
        </p>
        {parts.requestHeaders.length === 0 && (
          <p className="quiet">
            No headers of this request are recorded, so the copies have none. Headers of an app are recorded
            while somebody views or records its page.
          </p>
        )}
        {hasMasked(parts) && <p className="quiet">Copies do not include masked headers.</p>}
        <HeaderList title="Request headers" headers={parts.requestHeaders} />
        {parts.requestBody !== undefined && <Body title="Body" text={parts.requestBody} />}
      </Section>
      <ResponseSection parts={parts} />
      {why}
      {parts.frames.length > 0 && (
        <Section title="Frames">
          <ol className="frames">
            {parts.frames.map(({ sequence, at, direction, text }) => (
              <li key={sequence}>
                <span className="quiet">{exactClockTime(at)}</span>{" "}
                {direction === "out" ? "sent" : "received"} <code>{visibleText(text)}</code>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

const size = (bytes: number | undefined): string | undefined =>
  bytes === undefined ? undefined : sizeText(bytes);

function ResponseSection({ parts }: { readonly parts: RequestParts }): ReactNode {
  const { status, error, durationMs } = parts;
  const isOver = status !== undefined || error !== undefined;
  return (
    <Section title="Response">
      {!isOver && <p>No response yet.</p>}
      <Facts
        facts={[
          ["Status", status === undefined ? undefined : `${status} ${parts.statusText ?? ""}`.trim()],
          ["Error", error],
          ["Took", numberOf(durationMs) === undefined ? undefined : durationText(durationMs as number)],
          ["Received", size(parts.responseBytes)],
        ]}
      />
      <HeaderList title="Response headers" headers={parts.responseHeaders} />
      <Waterfall timing={parts.timing} />
      {parts.responseBody !== undefined && <Body title="Body" text={parts.responseBody} />}
    </Section>
  );
}

/** A body: as a tree if it is JSON, else as text. */
function Body({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  const value = parseJson(text);
  return (
    <div className="body">
      <h5>
        {title} <CopyButton label={`Copy the ${title.toLowerCase()}`} text={text} />
      </h5>
      {value === undefined ? <pre dir="auto">{visibleText(text)}</pre> : <ValueTree value={value} />}
    </div>
  );
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function CopyText({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <span className="copy-as">
      Copy as {label} <CopyButton label={`Copy as ${label}`} text={text} />
    </span>
  );
}
