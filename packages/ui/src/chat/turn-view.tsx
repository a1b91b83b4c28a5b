import { AlertTriangle } from "lucide-react";
import { Fragment, memo, type ReactNode, useMemo } from "react";
import { Markdown } from "../markdown/markdown.js";
import type { Turn, TurnPart } from "../state/turns.js";
import { StepView } from "../steps/step-view.js";
import { refNames } from "../steps/step-words.js";
import { exactTime, timeAgo } from "../text/time.js";

const ENDS = {
  failed: "The agent failed.",
  person: "You stopped the agent.",
  interrupted: "The hub ended before the agent was done. Send a message to go on.",
} as const;

/** The person's message and what the agent did and said. */
export const TurnView = memo(
  ({ turn, agent }: { readonly turn: Turn; readonly agent: string }): ReactNode => {
    const names = useMemo(() => refNames(turn), [turn]);
    const { message, errors, ended, startedAt } = turn;
    return (
      <>
        {message !== undefined && (
          <section className="message" aria-label="You">
            <p dir="auto">{message}</p>
            <time dateTime={startedAt} title={exactTime(startedAt)}>
              {timeAgo(startedAt)}
            </time>
          </section>
        )}
        <section className="answer" aria-label={agent} aria-busy={ended === undefined}>
          {turn.parts.map((part, i) => (
            <Fragment key={keyOf(part, i)}>
              {part.kind === "text" ? (
                <Markdown text={part.text} />
              ) : (
                <StepView step={part.step} names={names} isOver={ended !== undefined} />
              )}
            </Fragment>
          ))}
          {errors.map((error) => (
            <p key={error} className="problem" role="alert">
              <AlertTriangle aria-hidden /> <span dir="auto">{error}</span>
            </p>
          ))}
          {ended !== undefined && ended !== "done" && errors.length === 0 && (
            <p className="quiet">{ENDS[ended]}</p>
          )}
          {ended === undefined && <p className="working">{agent} is working…</p>}
        </section>
      </>
    );
  },
);

const keyOf = (part: TurnPart, index: number): string =>
  part.kind === "step" ? `step ${part.step.id}` : `text ${index}`;
