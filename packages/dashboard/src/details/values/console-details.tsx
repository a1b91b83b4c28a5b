import { servedNote, stackFrames } from "@debug-bridge/protocol";
import type { ReactNode } from "react";
import { usePlaces } from "../../session/filter/use-places.js";
import { fieldsOf, listOf, numberOf, textOf } from "../fields.js";
import type { BodyProps } from "../request/body.js";
import { Facts, Section } from "../section.js";
import { Stack } from "../stack.js";
import { argumentValue } from "./console-value.js";
import { ValueTree } from "./value-tree.js";

/** A console line or an error: its values, where it happened, and its stack. */
export function ConsoleDetails({ details: { record, row }, reader, timeline, why }: BodyProps): ReactNode {
  const data = fieldsOf(record.data);
  const values = listOf(data.values);
  const location = fieldsOf(data.location);
  const frame = fieldsOf(data.frame);
  const resource = fieldsOf(data.resource);
  const stack = textOf(data.stack);
  const url = textOf(location.url);
  const place = usePlaces(reader, timeline, [row]).get(row.sequence);
  const at = place
    ? `${place.url}:${place.line}:${place.column}`
    : url && `${url}:${location.line}:${location.column}${servedNote(url)}`;
  return (
    <>
      {stack !== undefined && stackFrames(stack).length > 0 && <Stack {...{ stack, reader, timeline }} />}
      {why}
      {values.length > 0 && (
        <Section title={values.length === 1 ? "Value" : "Values"}>
          {values.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other name
            <ValueTree key={index} value={argumentValue(value)} />
          ))}
        </Section>
      )}
      <Section title="About">
        <Facts
          facts={[
            ["Text", textOf(data.text)],
            ["Where", at],
            ["Failed to load", textOf(resource.url)],
            ["Page", record.origin ?? textOf(data.origin)],
            ["Frame", frame.isTop === false ? textOf(frame.url) : undefined],
            ["Times", (numberOf(data.count) ?? 1) > 1 ? String(data.count) : undefined],
            ["Captured by", textOf(data.source)],
          ]}
        />
      </Section>
    </>
  );
}
