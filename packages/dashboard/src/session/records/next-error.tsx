import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";

/** Rows around the selected record: those before it, itself, and the next one. */
const AROUND = 4;

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** What the list shows. */
  readonly query: string;
  readonly record: number | undefined;
  onSelect(sequence: number): void;
}

/** Goes to the error after the selected record; after the last one, to the first. */
export function NextError({ reader, timeline, query, record, onSelect }: Props): ReactNode {
  const [isNone, setNone] = useState(false);
  const goOn = useCallback(async () => {
    const found = await nextError(reader, timeline, query, record);
    setNone(found === undefined);
    if (found !== undefined) onSelect(found);
  }, [reader, timeline, query, record, onSelect]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isWriting = (event.target as Element | null)?.matches?.("input, textarea, select") ?? false;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== "e" || !isPlain || isWriting || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      void goOn();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [goOn]);
  return (
    <button type="button" className="link-button" onClick={() => void goOn()}>
      {isNone ? "No errors" : "Next error"}
    </button>
  );
}

async function nextError(
  reader: TimelineReader,
  timeline: TimelineAddress,
  query: string,
  record: number | undefined,
): Promise<number | undefined> {
  const read = async (start: Readonly<Record<string, number>>): Promise<number | undefined> => {
    const asked = new URLSearchParams(query);
    // What is folded is found as well.
    for (const name of ["folded", "except"]) asked.delete(name);
    for (const [name, value] of Object.entries({ level: "error", limit: AROUND, ...start }))
      asked.set(name, String(value));
    const { rows } = await reader.timeline(timeline, asked);
    return rows.find(({ sequence, level }) => level === "error" && sequence > (start.around ?? -1))?.sequence;
  };
  const next = record === undefined ? undefined : await read({ around: record }).catch(() => undefined);
  return next ?? (await read({ offset: 0 }).catch(() => undefined));
}
