import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";

/** A part of the details, with its title. */
export function Section({
  title,
  button,
  children,
}: {
  readonly title: string;
  /** Beside the title. */
  readonly button?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="detail-section" aria-label={title}>
      <div className="section-head">
        <h4>{title}</h4>
        {button}
      </div>
      {children}
    </section>
  );
}

/** Names and what they are; what is not known is left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, string | undefined])[];
}): ReactNode {
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined || value === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{visibleText(value)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
