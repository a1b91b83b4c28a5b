import type { SourceLocation } from "../console/record.js";
import type { WhyAnswer, WhyLink } from "../schema/why.js";
import { servedNote } from "./served-note.js";

/** An answer to "why" as lines of text: the record, then each cause below it with its evidence. */
export function whyLines({ links, unknown, couldBe, notes }: WhyAnswer): string[] {
  return [
    ...links.map((link, i) => (i === 0 ? nameOf(link) : `because of ${nameOf(link)} [${link.evidence}]`)),
    ...(unknown === undefined ? [] : [`before that: unknown, ${unknown}`]),
    ...couldBe.map((link) => `could be ${nameOf(link)} [${link.evidence}]`),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function nameOf({ kind, text, sequence, sessionId, place, isServed }: WhyLink): string {
  const number = sequence === undefined ? "" : `#${sequence} `;
  const session = sessionId === undefined ? "" : ` in ${sessionId}`;
  const what = kind === "subject" ? "" : `${kind} `;
  return `${what}${number}${text}${placeText(place)}${place && isServed ? servedNote(place.url) : ""}${session}`;
}

const placeText = (place: SourceLocation | undefined): string =>
  place ? ` at ${place.url}:${place.line}:${place.column}` : "";
