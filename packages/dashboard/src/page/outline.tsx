import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { outlineParts } from "./outline-parts.js";
import { useLook } from "./use-look.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: string;
  readonly ticks: number;
  onAct(ref: string): void;
  /** Somebody points at a ref, or at none. */
  onPoint(ref: string | undefined): void;
}

/** What can be read and used in the page, as an agent sees it. A ref is a button that clicks its element. */
export function Outline({ client, session, ticks, onAct, onPoint }: Props): ReactNode {
  const read = useCallback((signal: AbortSignal) => client.outline(session, signal), [client, session]);
  const { value, problem } = useLook(read, ticks);
  return (
    <section className="outline" aria-label="What can be read and used">
      {problem !== undefined && <p className="quiet">The page cannot be read now: {visibleText(problem)}</p>}
      {value === undefined && problem === undefined && <p className="quiet">Reading the page…</p>}
      {value?.text.split("\n").map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
        <div key={index} className={line.startsWith("#") ? "heading" : undefined} dir="auto">
          {outlineParts(line).map(({ text, ref }, part) =>
            ref === undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line have no other name
              <span key={part}>{visibleText(text)}</span>
            ) : (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line have no other name
                key={part}
                type="button"
                className="ref"
                title={`Click ${ref} in the page`}
                onClick={() => onAct(ref)}
                onPointerEnter={() => onPoint(ref)}
                onPointerLeave={() => onPoint(undefined)}
                onFocus={() => onPoint(ref)}
                onBlur={() => onPoint(undefined)}
              >
                {text}
              </button>
            ),
          )}
        </div>
      ))}
      {value?.isCut && <p className="quiet">The page is longer than this.</p>}
    </section>
  );
}
