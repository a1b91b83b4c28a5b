import { type RefObject, useEffect, useRef } from "react";
import type { RowStore } from "./row-store.js";

export const ROW_HEIGHT = 24;
/** How near to the end counts as at the end. */
const END_PIXELS = 4;

export type GoTo = (index: number, align?: "auto" | "center") => void;

/** Keeps the newest rows in view while they are followed; else nothing moves. */
export function useFollowing(
  store: RowStore,
  scroller: RefObject<HTMLDivElement | null>,
  total: number,
  isLive: boolean,
  goTo: GoTo,
): { onScroll(): void; goToNewest(): void } {
  /** Where the list was when it last reported to have been scrolled. */
  const lastTop = useRef(0);
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
  }, [store, store.isFollowing, scroller, total]);
  return {
    onScroll() {
      const { scrollTop, clientHeight, scrollHeight } = scroller.current as HTMLDivElement;
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - END_PIXELS;
      // Rows that were added have moved the end; only the person moves the list up.
      if (isLive && isAtEnd) store.follow(true);
      else if (scrollTop < lastTop.current) store.follow(false);
      lastTop.current = scrollTop;
    },
    goToNewest() {
      lastTop.current = 0;
      if (isLive) store.follow(true);
      goTo(total - 1);
    },
  };
}

/** Scrolls to the record of the address when it is not on the screen. */
export function useGoToRecord(
  store: RowStore,
  record: number | undefined,
  goTo: GoTo,
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
