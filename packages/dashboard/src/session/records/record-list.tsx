import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDownToLine } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import type { Route } from "../../layout/route.js";
import { type Folding, isFiltered } from "../filter/filter.js";
import { usePlaces } from "../filter/use-places.js";
import { handleKey } from "./list-keys.js";
import type { RowStore } from "./row-store.js";
import { RowView } from "./row-view.js";
import { ROW_HEIGHT, useFollowing, useGoToRecord } from "./use-list-scroll.js";

/** Browsers cannot lay out a taller list. */
const MAX_ROWS = 1_300_000;

interface Props {
  readonly store: RowStore;
  readonly folding: Folding;
  readonly route: Route;
  readonly isLive: boolean;
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  onFolding(folding: Folding): void;
  onSelect(sequence: number, how?: "open"): void;
}

/** The records, of which only those on the screen exist as elements. */
export function RecordList(props: Props): ReactNode {
  const { store, route, isLive } = props;
  const { info } = store;
  if (store.problem !== undefined && !info)
    return (
      <p className="state" role="alert">
        The records cannot be read: {store.problem}
      </p>
    );
  if (!info)
    return (
      <div className="skeleton rows" role="status">
        <span className="hidden-text">Reading the records</span>
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <span key={key} />
        ))}
      </div>
    );
  if (info.total === 0 && info.complete && !store.isOutdated)
    return <Nothing isFiltered={isFiltered(route)} isLive={isLive} />;
  return <VirtualRows {...props} />;
}

function Nothing({
  isFiltered,
  isLive,
}: {
  readonly isFiltered: boolean;
  readonly isLive: boolean;
}): ReactNode {
  if (isFiltered) return <p className="state">No record matches. Remove a filter to see more.</p>;
  return (
    <p className="state">
      {isLive
        ? "Nothing has happened yet. Use the page, or let an agent use it: what happens appears here."
        : "This recording has no records of these kinds."}
    </p>
  );
}

function VirtualRows(props: Props): ReactNode {
  const { store, folding, route, isLive, reader, timeline, onFolding, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const base = useId();
  const total = Math.min(store.info?.total ?? 0, MAX_ROWS);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 5,
    // Scrolling draws with the next frame, and not inside of the event.
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const start = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? 0) + 1;
  useEffect(() => store.show(start, end), [store, start, end]);
  const places = usePlaces(
    reader,
    timeline,
    items.flatMap(({ index }) => store.row(index) ?? []),
  );

  const goTo = useCallback(
    (index: number, align: "auto" | "center" = "auto") => virtualizer.scrollToIndex(index, { align }),
    [virtualizer],
  );
  const { onScroll, goToNewest } = useFollowing(store, scroller, total, isLive, goTo);
  useGoToRecord(store, route.record, goTo, start, end);

  const toggle = useCallback(
    (sequence: number) => {
      const { isFolded, except } = folding;
      const changed = except.includes(sequence)
        ? except.filter((each) => each !== sequence)
        : [...except, sequence];
      onFolding({ isFolded, except: changed });
    },
    [folding, onFolding],
  );
  const select = useCallback((sequence: number) => onSelect(sequence, "open"), [onSelect]);
  const selected = route.record === undefined ? undefined : store.indexOf(route.record);
  const isOpen = (sequence: number): boolean => folding.isFolded === folding.except.includes(sequence);

  const onKeyDown = (event: KeyboardEvent): void => {
    const list = { store, total, start, selected, isOpen, toggle, onSelect, goTo, goToNewest };
    if (handleKey(event.key, list)) event.preventDefault();
  };
  const rowId = (index: number): string => `${base}-${index}`;
  return (
    <div className={store.isOutdated ? "records outdated" : "records"}>
      <div
        ref={scroller}
        className="record-list"
        role="treegrid"
        aria-label="Records"
        aria-rowcount={total}
        aria-activedescendant={
          selected !== undefined && selected >= start && selected < end ? rowId(selected) : undefined
        }
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="sizer" style={{ height: total * ROW_HEIGHT }}>
          {items.map(({ index, key }) => {
            const row = store.row(index);
            return (
              <RowView
                key={key}
                id={rowId(index)}
                index={index}
                row={row}
                top={index * ROW_HEIGHT}
                isSelected={row !== undefined && row.sequence === route.record}
                isOpen={row !== undefined && isOpen(row.sequence)}
                place={row && places.get(row.sequence)}
                onToggle={toggle}
                onSelect={select}
              />
            );
          })}
        </div>
      </div>
      {isLive && !store.isFollowing && (
        <button type="button" className="to-newest" onClick={goToNewest}>
          <ArrowDownToLine aria-hidden /> Follow the newest
        </button>
      )}
    </div>
  );
}
