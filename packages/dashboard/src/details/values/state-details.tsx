import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { fieldsOf, textOf } from "../fields.js";
import type { BodyProps } from "../request/body.js";
import { Section } from "../section.js";
import { differences } from "./state-differences.js";
import { ValueTree } from "./value-tree.js";

const MAX_SHOWN = 100;

/** The state of a scope, and what changed since it was last reported. */
export function StateDetails({ details: { record, related }, why }: BodyProps): ReactNode {
  const { scope, state } = fieldsOf(record.data);
  const [before] = related;
  const changes = before && differences(fieldsOf(before.data).state, state);
  return (
    <>
      <Section title="Changes">
        {!changes && <p>The previous state is unknown.</p>}
        {changes?.length === 0 && <p>Nothing changed since #{before?.sequence}.</p>}
        {changes && changes.length > 0 && (
          <ul className="receipt">
            {changes.slice(0, MAX_SHOWN).map(({ path, kind, text }) => (
              <li key={path} className={kind}>
                {visibleText(`${path || "(all)"}: ${text}`)}
              </li>
            ))}
          </ul>
        )}
        {changes && changes.length > MAX_SHOWN && <p>{changes.length - MAX_SHOWN} more changes.</p>}
      </Section>
      {why}
      <Section title={`State of ${visibleText(textOf(scope) ?? "?")}`}>
        <ValueTree value={state} />
      </Section>
    </>
  );
}
