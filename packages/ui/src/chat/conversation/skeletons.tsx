import type { ReactNode } from "react";

/** Grey bars in the place of what is being read. They appear only when that takes long enough to notice. */
export function Bars({ widths }: { readonly widths: readonly number[] }): ReactNode {
  return (
    <div className="skeleton" aria-hidden>
      {widths.map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <span key={i} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

export function ConversationSkeleton(): ReactNode {
  return (
    <section className="turns" aria-label="Conversation" aria-busy>
      <div className="canvas loading">
        <Bars widths={[100, 62, 88, 74, 40]} />
        <Bars widths={[100, 80, 91, 55]} />
      </div>
    </section>
  );
}

export function ListSkeleton(): ReactNode {
  return <Bars widths={[80, 64, 90, 72, 84]} />;
}
