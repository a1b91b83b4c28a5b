import { AlertTriangle } from "lucide-react";
import { memo, type ReactNode, useMemo } from "react";
import { Markdown } from "../../markdown/markdown.js";
import { type Turn, type TurnPart, waitingApproval } from "../../state/turns.js";
import { StepView } from "../../steps/step-view.js";
import { type RefNames, refNames } from "../../steps/step-words.js";
import { ApprovalCard } from "./approval-card.js";
import { MessageView } from "./message-view.js";

const ENDS = {
  failed: "The agent failed.",
  person: "You stopped the agent.",
  interrupted: "The hub ended before the agent was done. Send a message to continue.",
} as const;

/** The person's message and what the agent did and said. */
export const TurnView = memo(
  ({ turn, agent }: { readonly turn: Turn; readonly agent: string }): ReactNode => {
    const names = useMemo(() => refNames(turn), [turn]);
    const { errors, ended } = turn;
    return (
      <>
        <MessageView turn={turn} />
        <section className="answer" aria-label={agent} aria-busy={ended === undefined}>
          {turn.parts.map((part, i) => (
            <PartView
              key={keyOf(part, i)}
              part={part}
              names={names}
              agent={agent}
              isOver={ended !== undefined}
            />
          ))}
          {errors.map((error) => (
            <p key={error} className="problem" role="alert">
              <AlertTriangle aria-hidden /> <span dir="auto">{error}</span>
            </p>
          ))}
          {ended !== undefined && ended !== "done" && errors.length === 0 && (
            <p className="quiet">{ENDS[ended]}</p>
          )}
          {ended === undefined && (
            <p className="working">
              {waitingApproval(turn) ? `${agent} waits for your answer` : `${agent} is working…`}
            </p>
          )}
        </section>
      </>
    );
  },
);

interface PartProps {
  readonly part: TurnPart;
  readonly names: RefNames;
  readonly agent: string;
  readonly isOver: boolean;
}

function PartView({ part, names, agent, isOver }: PartProps): ReactNode {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} />;
    case "step":
      // Where the agent is debugged is for its controls, which are shown while it runs.
      return part.step.kind === "agent" ? null : <StepView step={part.step} names={names} isOver={isOver} />;
    case "approval":
      return <ApprovalCard approval={part.approval} agent={agent} isOver={isOver} />;
  }
}

function keyOf(part: TurnPart, index: number): string {
  switch (part.kind) {
    case "text":
      return `text ${index}`;
    case "step":
      return `step ${part.step.id}`;
    case "approval":
      return `approval ${part.approval.id}`;
  }
}
