import { type ReactNode, useState } from "react";
import type { Navigate, Route } from "../../layout/route.js";
import { KIND_NAMES, shownKinds, withKind } from "./filter.js";

/** Kinds that have their own place; the others come with "More". */
const FIRST = 6;

/** Chooses which kinds of records are listed. */
export function KindChips({
  route,
  navigate,
}: {
  readonly route: Route;
  readonly navigate: Navigate;
}): ReactNode {
  const [isMore, setMore] = useState(route.kinds !== undefined);
  const shown = shownKinds(route);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere
    <div className="kinds" role="group" aria-label="Kinds of records">
      {KIND_NAMES.slice(0, isMore ? undefined : FIRST).map(([kind, name]) => (
        <button
          key={kind}
          type="button"
          className="chip"
          aria-pressed={shown.includes(kind)}
          onClick={() => navigate(withKind(route, kind, !shown.includes(kind)), "replace")}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        className="chip more"
        aria-expanded={isMore}
        onClick={() => setMore((before) => !before)}
      >
        {isMore ? "Fewer" : "More"}
      </button>
    </div>
  );
}
