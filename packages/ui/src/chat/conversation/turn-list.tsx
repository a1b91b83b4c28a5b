import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Turn } from "../../state/turns.js";
import { TurnView } from "./turn-view.js";

interface Props {
  readonly turns: readonly Turn[];
  /** Whether there are turns before these. */
  readonly hasOlder: boolean;
  readonly agentTitle: (provider: string) => string;
  /** How often the person sent a message from this window: then they want to see what follows. */
  readonly sent: number;
  loadOlder(): Promise<void>;
}

const ESTIMATED_HEIGHT = 160;
/** Someone this close to the end reads along. */
const NEAR_END = 60;
const NEAR_START = 800;

/** The turns of a conversation. Only those near the visible part exist in the document. */
export function TurnList({ turns, hasOlder, agentTitle, sent, loadOlder }: Props): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAway, setAway] = useState(false);
  const virtualizer = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index) => turns[index]?.runId ?? index,
    overscan: 4,
  });
  const total = virtualizer.getTotalSize();

  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const toEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
    isFollowing.current = toEnd < NEAR_END;
    setAway(toEnd > element.clientHeight);
    if (hasOlder && element.scrollTop < NEAR_START) void loadOlder();
  };

  const goToEnd = useCallback(() => {
    const element = scroller.current;
    isFollowing.current = true;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the person sent something.
  useLayoutEffect(goToEnd, [sent]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the content changed.
  useLayoutEffect(() => {
    if (isFollowing.current) goToEnd();
  }, [turns, total]);

  // What is being read stays where it is when earlier turns are added above it: everything moves by their height.
  const firstRun = turns[0]?.runId;
  const knownFirst = useRef(firstRun);
  useLayoutEffect(() => {
    const before = knownFirst.current;
    if (before === firstRun) return;
    knownFirst.current = firstRun;
    const index = isFollowing.current ? -1 : turns.findIndex(({ runId }) => runId === before);
    const [added] = (index > 0 ? virtualizer.getOffsetForIndex(index, "start") : undefined) ?? [];
    if (added !== undefined && scroller.current)
      virtualizer.scrollToOffset(scroller.current.scrollTop + added);
  }, [firstRun, turns, virtualizer]);

  useEffect(() => {
    const element = scroller.current;
    if (!hasOlder || !element) return;
    // At the start there is nothing to scroll, so no event of scrolling would ask for more.
    const isAtStart = !isFollowing.current && element.scrollTop < NEAR_START;
    if (isAtStart || element.scrollHeight <= element.clientHeight) void loadOlder();
  }, [hasOlder, loadOlder]);

  return (
    <div className="reading">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <section className="turns" ref={scroller} onScroll={onScroll} tabIndex={0} aria-label="Conversation">
        <div className="canvas" style={{ height: total }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const turn = turns[index];
            return (
              turn && (
                <article
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="turn"
                  style={{ transform: `translateY(${start}px)` }}
                  aria-posinset={index + 1}
                  aria-setsize={hasOlder ? -1 : turns.length}
                >
                  <TurnView turn={turn} agent={agentTitle(turn.provider)} />
                </article>
              )
            );
          })}
        </div>
      </section>
      {isAway && (
        <button type="button" className="newest" onClick={goToEnd}>
          <ArrowDown aria-hidden /> Newest
        </button>
      )}
    </div>
  );
}
