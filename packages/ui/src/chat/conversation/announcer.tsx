import { type ReactNode, useEffect, useRef, useState } from "react";
import type { RunApproval } from "../../state/turns.js";

interface Props {
  /** The run that goes on. */
  readonly running: string | undefined;
  readonly agent: string;
  /** What the agent asks the person. */
  readonly question: RunApproval | undefined;
}

/** Announces to screen readers when the agent starts, asks and ends; the text itself can be read at leisure. */
export function Announcer({ running, agent, question }: Props): ReactNode {
  const [text, setText] = useState("");
  const before = useRef(running);
  useEffect(() => {
    if (before.current === running) return;
    before.current = running;
    setText(running === undefined ? "The agent has finished" : `${agent} is working`);
  }, [running, agent]);
  return (
    <>
      <p className="hidden-text" role="status">
        {text}
      </p>
      <p className="hidden-text" aria-live="assertive">
        {question && `${agent} asks: may it act on ${question.origin}? ${question.action}`}
      </p>
    </>
  );
}
