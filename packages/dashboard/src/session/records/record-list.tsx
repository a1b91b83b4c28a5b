import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDownToLine } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import type { Route } from "../../layout/route.js";
import { type Folding, isFiltered } from "../filter/filter.js";
import { usePlaces } from "../filter/use-places.js";
import type { RowStore } from "./row-store.js";
import { RowView } from "./row-view.js";

const ROW_HEIGHT = 24;
/** Browsers cannot lay out a taller list. */
const MAX_ROWS = 1_300_000;
/** How near to the end counts as at the end. */
const END_PIXELS = 4;

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
  /** Where the list was when it last reported to have been scrolled. */
  const lastTop = useRef(0);
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

  // The newest rows are kept in view while they are followed; else nothing moves.
  useEffect(() => {
    if (!store.isFollowing || !scroller.current) return;
    const { scrollTop, clientHeight } = scroller.current;
    // The person has moved the list, and its event is still to come. A list that became shorter is at its end.
    const isMovedUp =
      scrollTop < lastTop.current && scrollTop + clientHeight < total * ROW_HEIGHT - END_PIXELS;
    if (isMovedUp) return store.follow(false);
    scroller.current.scrollTop = total * ROW_HEIGHT;
    // Its event may come together with that of the person who scrolls up.
    lastTop.current = scroller.current.scrollTop;
  }, [store, store.isFollowing, total]);
  const onScroll = (): void => {
    const { scrollTop, clientHeight, scrollHeight } = scroller.current as HTMLDivElement;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - END_PIXELS;
    // Rows that were added have moved the end; only the person moves the list up.
    if (isLive && isAtEnd) store.follow(true);
    else if (scrollTop < lastTop.current) store.follow(false);
    lastTop.current = scrollTop;
  };
  const goTo = useCallback(
    (index: number, align: "auto" | "center" = "auto") => virtualizer.scrollToIndex(index, { align }),
    [virtualizer],
  );
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

  const moveTo = (index: number): void => {
    const row = store.row(index);
    if (!row) return;
    goTo(index);
    onSelect(row.sequence);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = selected === undefined ? undefined : store.row(selected);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step !== undefined)
      moveTo(Math.max(0, Math.min(total - 1, selected === undefined ? start : selected + step)));
    else if (event.key === "ArrowRight" && row && row.effects.all > 0 && !isOpen(row.sequence))
      toggle(row.sequence);
    else if (event.key === "ArrowLeft" && row && row.effects.all > 0 && isOpen(row.sequence))
      toggle(row.sequence);
    else if (event.key === "ArrowLeft" && row?.cause !== undefined) onSelect(row.cause);
    else if (event.key === "Enter" && row) onSelect(row.sequence, "open");
    else if (event.key === "Home") goTo(0);
    else if (event.key === "End") {
      lastTop.current = 0;
      if (isLive) store.follow(true);
      goTo(total - 1);
    } else return;
    event.preventDefault();
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
        <button
          type="button"
          className="to-newest"
          onClick={() => {
            lastTop.current = 0;
            store.follow(true);
            goTo(total - 1);
          }}
        >
          <ArrowDownToLine aria-hidden /> Follow the newest
        </button>
      )}
    </div>
  );
}

/** Scrolls to the record of the address when it is not on the screen. */
function useGoToRecord(
  store: RowStore,
  record: number | undefined,
  goTo: (index: number, align?: "auto" | "center") => void,
  start: number,
  end: number,
): void {
  const shown = useRef<{ store: RowStore; record: number }>(undefined);
  useEffect(() => {
    if (record === undefined) return;
    if (shown.current?.store === store && shown.current.record === record) return;
    shown.current = { store, record };
    const index = store.indexOf(record);
    if (index !== undefined && index >= start && index < end) return goTo(index);
    store.follow(false);
    void store.locate(record).then((found) => {
      if (found !== undefined && found >= 0) goTo(found, "center");
    });
  }, [store, record, goTo, start, end]);
}
