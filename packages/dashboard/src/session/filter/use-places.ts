import type { SourceLocation, TimelineRow } from "@debug-bridge/protocol";
import { useEffect, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";

/** Places of one question. */
const MAX_ASKED = 100;
/** Places that are kept; rows that are seen again are asked about again. */
const MAX_KEPT = 3_000;

type Places = ReadonlyMap<number, SourceLocation>;
type PlacedRow = Pick<TimelineRow, "sequence" | "location">;

/** Where the code behind rows was written, by their numbers, as far as it is known by now. */
export function usePlaces(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  rows: readonly PlacedRow[],
): Places {
  const [places, setPlaces] = useState<Places>(new Map());
  const asked = useRef({ of: "", sequences: new Set<number>() });
  useEffect(() => {
    const of = `${kind} ${id}`;
    if (asked.current.of !== of || asked.current.sequences.size > MAX_KEPT) {
      asked.current = { of, sequences: new Set() };
      setPlaces(new Map());
    }
    const { sequences } = asked.current;
    const wanted = rows
      .filter(({ location, sequence }) => location && !sequences.has(sequence))
      .slice(0, MAX_ASKED)
      .map(({ sequence }) => sequence);
    if (wanted.length === 0 || !reader.places) return;
    for (const sequence of wanted) sequences.add(sequence);
    const own = asked.current;
    reader.places({ kind, id }, wanted).then(
      (found) => {
        if (asked.current === own && found.size > 0) setPlaces((before) => new Map([...before, ...found]));
      },
      // The place in the served file stays, with its note.
      () => {},
    );
  }, [reader, kind, id, rows]);
  return places;
}
