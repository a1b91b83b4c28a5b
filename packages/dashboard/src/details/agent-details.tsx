import { contentText } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { durationText } from "../session/clock.js";
import { fieldsOf, numberOf, textOf } from "./fields.js";
import type { BodyProps } from "./request/body.js";
import { Facts, Section } from "./section.js";
import { ValueTree } from "./values/value-tree.js";

/** A step of an agent: the whole message, or the whole call and its result. */
export function AgentDetails({ details: { record }, why }: BodyProps): ReactNode {
  const data = fieldsOf(record.data);
  const { content, input, result, usage, durationMs } = data;
  const message = record.type === "user_input" ? (input ?? content) : content;
  const rest = Object.fromEntries(
    Object.entries(data).filter(([name]) => !["content", "input", "result"].includes(name)),
  );
  return (
    <>
      {message !== undefined && (
        <Section title="Message">
          <pre className="message" dir="auto">
            {visibleText(contentText(message))}
          </pre>
        </Section>
      )}
      {record.type !== "user_input" && input !== undefined && (
        <Section title="Input">
          <ValueTree value={input} />
        </Section>
      )}
      {result !== undefined && (
        <Section title="Result">
          {typeof result === "string" ? (
            <pre dir="auto">{visibleText(result)}</pre>
          ) : (
            <ValueTree value={result} />
          )}
        </Section>
      )}
      {why}
      <Section title="About">
        <Facts
          facts={[
            ["Tool", textOf(data.name)],
            ["Took", numberOf(durationMs) === undefined ? undefined : durationText(durationMs as number)],
          ]}
        />
        {usage !== undefined && <ValueTree name="usage" value={usage} />}
        <ValueTree value={rest} />
      </Section>
    </>
  );
}
