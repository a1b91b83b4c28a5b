import type { TimelineRecord } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { BeforeAfter } from "../page/before-after.js";
import { fieldsOf, textOf } from "./fields.js";
import { ReceiptView } from "./receipt-view.js";
import type { BodyProps } from "./request/body.js";
import { Facts, Section } from "./section.js";
import { ValueTree } from "./values/value-tree.js";

/** A command with what came of it. */
export function CommandDetails({
  details: { record, related },
  reader,
  timeline,
  why,
}: BodyProps): ReactNode {
  const results = record.type === "command_result" ? [record] : related;
  const [result] = related;
  return (
    <>
      {record.type === "command" && <Command record={record} />}
      {results.length === 0 && (
        <Section title="Result">
          <p>No result yet, or the result is no longer stored.</p>
        </Section>
      )}
      {results.map((result) => (
        <Result key={result.sequence} result={result} />
      ))}
      {record.type === "command" && result && (
        <BeforeAfter
          {...{ reader, timeline }}
          from={Date.parse(record.timestamp)}
          to={Date.parse(result.timestamp)}
        />
      )}
      {why}
    </>
  );
}

/** Members that say how the command travelled, and not what it does. */
const TRAVEL = new Set([
  "type",
  "sessionId",
  "timestamp",
  "origin",
  "requestId",
  "client",
  "protocolVersion",
  "seq",
]);

function Command({ record }: { readonly record: TimelineRecord }): ReactNode {
  const data = fieldsOf(record.data);
  const input = Object.fromEntries(Object.entries(data).filter(([name]) => !TRAVEL.has(name)));
  return (
    <Section title="Command">
      <Facts
        facts={[
          ["Type", textOf(data.type)],
          ["By", textOf(data.client)],
        ]}
      />
      {Object.keys(input).length > 0 && <ValueTree value={input} />}
    </Section>
  );
}

function Result({ result }: { readonly result: TimelineRecord }): ReactNode {
  const { success, error, message, value, details, receipt } = fieldsOf(result.data);
  return (
    <Section title="Result">
      <p className={success === true ? "success" : "error"}>
        {success === true
          ? "Done."
          : `Failed: ${visibleText([textOf(error), textOf(message)].filter(Boolean).join(": "))}`}
      </p>
      <ReceiptView receipt={receipt} />
      {value !== undefined && <ValueTree name="value" value={value} />}
      {details !== undefined && <ValueTree name="details" value={details} />}
    </Section>
  );
}
