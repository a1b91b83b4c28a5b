import {
  type RecordDetails,
  servedNote,
  type TimelineRow,
  type WhyAnswer,
  type WhyLink,
} from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { formatRoute, type Navigate, type Route } from "../layout/route.js";
import { exactClockTime } from "../session/clock.js";
import { effectsText } from "../session/records/row-view.js";
import { Section } from "./section.js";

interface Props {
  readonly details: RecordDetails;
  readonly route: Route;
  readonly navigate: Navigate;
}

/** What caused a record. */
export function Why({ details: { why, because }, route, navigate }: Props): ReactNode {
  if (because) return <Because {...{ because, route, navigate }} />;
  if (why.length === 0) return null;
  return (
    <Section title="Why">
      <ol className="why">
        {why.map((cause) => (
          <li key={cause.sequence}>
            <RecordLink {...{ row: cause, route, navigate }} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What a record caused. */
export function Effects({ details: { row }, route, navigate }: Props): ReactNode {
  const { cause: _, ...rest } = route;
  if (row.effects.all === 0) return null;
  return (
    <Section title="Effects">
      <p>
        It caused {row.effects.all} {row.effects.all === 1 ? "record" : "records"}: {effectsText(row.effects)}
        .{" "}
        <button type="button" onClick={() => navigate({ ...rest, cause: row.sequence })}>
          Show only these
        </button>
      </p>
    </Section>
  );
}

function RecordLink({
  row,
  route,
  navigate,
}: Omit<Props, "details"> & { readonly row: TimelineRow }): ReactNode {
  const to = { ...route, record: row.sequence };
  return (
    <a
      href={formatRoute(to)}
      onClick={(event) => {
        event.preventDefault();
        navigate(to);
      }}
    >
      <span className="quiet">{exactClockTime(row.at)}</span> {visibleText(row.text)}
    </a>
  );
}

/** The chain of causes, with the evidence for each link; where it ends without one, what is not known. */
function Because({
  because: { links, unknown, couldBe, notes },
  ...rest
}: Omit<Props, "details"> & { readonly because: WhyAnswer }): ReactNode {
  const [, ...causes] = links;
  if (causes.length + couldBe.length + notes.length === 0 && unknown === undefined) return null;
  return (
    <Section title="Why">
      <ol className="why">
        {causes.map((link, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the chain of a record does not change its order
          <li key={i}>
            <Cause {...{ link, ...rest }} />
          </li>
        ))}
      </ol>
      {unknown !== undefined && <p className="quiet">Before that: unknown, {visibleText(unknown)}.</p>}
      {couldBe.length > 0 && (
        <>
          <p className="quiet">Possible causes:</p>
          <ul className="why">
            {couldBe.map((link) => (
              <li key={`${link.sessionId} ${link.sequence}`}>
                <Cause {...{ link, ...rest }} />
              </li>
            ))}
          </ul>
        </>
      )}
      {notes.map((note) => (
        <p key={note}>{visibleText(note)}</p>
      ))}
    </Section>
  );
}

function Cause({
  link: { kind, text, evidence, sequence, sessionId, place, isServed },
  route,
  navigate,
}: Omit<Props, "details"> & { readonly link: WhyLink }): ReactNode {
  const to = sequence === undefined ? route : { ...route, record: sequence };
  const note = place && isServed ? servedNote(place.url) : "";
  const where = place ? ` (${place.url.split(/[?#]/)[0]?.split("/").at(-1)}:${place.line}${note})` : "";
  const isHere = sequence !== undefined && sessionId === undefined;
  return (
    <>
      <span className="quiet">{kind}</span>{" "}
      {isHere ? (
        <a
          href={formatRoute(to)}
          onClick={(event) => {
            event.preventDefault();
            navigate(to);
          }}
        >
          {visibleText(text)}
        </a>
      ) : (
        visibleText(`${text}${where}`)
      )}
      <span className="evidence">{visibleText(evidence)}</span>
    </>
  );
}
