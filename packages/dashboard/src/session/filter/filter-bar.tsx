import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { ChevronsDownUp, ChevronsUpDown, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Navigate, Route } from "../../layout/route.js";
import { clockTime } from "../clock.js";
import type { RowStore } from "../records/row-store.js";
import { type Folding, isFiltered } from "./filter.js";
import { KindChips } from "./kind-chips.js";

interface Props {
  readonly route: Route;
  readonly navigate: Navigate;
  readonly folding: Folding;
  readonly store: RowStore;
  /** Further buttons. */
  readonly children?: ReactNode;
  /** What goes through the errors. */
  readonly errors: ReactNode;
  onFolding(folding: Folding): void;
}

const TYPING_MS = 200;

/** Narrows the list of records. */
export function FilterBar({
  route,
  navigate,
  folding,
  store,
  children,
  errors,
  onFolding,
}: Props): ReactNode {
  const { info } = store;
  const without = (...names: (keyof Route)[]): void =>
    navigate(
      Object.fromEntries(
        Object.entries(route).filter(([name]) => !names.includes(name as keyof Route)),
      ) as unknown as Route,
    );
  return (
    <div className="filter-bar">
      <div className="filter-line">
        <TextFilter route={route} navigate={navigate} />
        <label>
          <span className="hidden-text">Least level</span>
          <select
            value={route.level ?? ""}
            onChange={({ target: { value } }) => {
              const { level: _, ...rest } = route;
              navigate(value === "" ? rest : { ...rest, level: value }, "replace");
            }}
          >
            <option value="">all levels</option>
            <option value="warn">warnings and errors</option>
            <option value="error">errors only</option>
          </select>
        </label>
        <IconButton
          label={folding.isFolded ? "Show effects" : "Hide effects"}
          onClick={() => onFolding({ isFolded: !folding.isFolded, except: [] })}
          icon={folding.isFolded ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />}
        />
        {children}
      </div>
      <KindChips {...{ route, navigate }} />
      <div className="filter-state">
        <span className="quiet" role="status">
          {info === undefined || store.isOutdated ? "reading…" : countText(info, isFiltered(route))}
        </span>
        {errors}
        {route.cause !== undefined && (
          <button type="button" className="chip" onClick={() => without("cause")}>
            caused by #{route.cause} <X aria-label="remove" />
          </button>
        )}
        {(route.from !== undefined || route.to !== undefined) && (
          <button type="button" className="chip" onClick={() => without("from", "to")}>
            {clockTime(route.from ?? 0)} to {clockTime(route.to ?? 0)} <X aria-label="remove" />
          </button>
        )}
      </div>
    </div>
  );
}

function countText(
  { total, records, complete, progress }: NonNullable<RowStore["info"]>,
  isNarrowed: boolean,
): string {
  const found = `${total.toLocaleString("en")} ${isNarrowed ? "of" : "shown of"} ${records.toLocaleString("en")} records`;
  return complete ? found : `${found} so far, ${Math.floor(progress * 100)} % read`;
}

/** The text is in the address once the person stops typing. */
function TextFilter({ route, navigate }: { readonly route: Route; readonly navigate: Navigate }): ReactNode {
  const [text, setText] = useState(route.text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(route.text), [route.text]);
  useEffect(() => {
    if (text === route.text) return;
    const { hash } = location;
    const timer = setTimeout(() => {
      // If the person went elsewhere meanwhile, they stay there.
      if (location.hash === hash) navigate({ ...route, text }, "replace");
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, route, navigate]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isWriting = (event.target as Element | null)?.matches?.("input, textarea, select") ?? false;
      if (event.key !== "/" || isWriting || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <input
      ref={input}
      type="search"
      placeholder="Filter"
      aria-label="Filter records"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
