import { Flag, GitBranch, Pause, Play, StepForward } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { SendToAgent } from "./agent-pane.js";
import type { AgentRun } from "./agent-run.js";

/** Whether the agent runs, and pause, step, resume, checkpoints. */
export function AgentControls({
  run,
  send,
}: {
  readonly run: AgentRun;
  readonly send: SendToAgent;
}): ReactNode {
  const { stop } = run.position;
  const isPaused = stop !== undefined;
  const [isAsked, setAsked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for has happened
  useEffect(() => setAsked(false), [isPaused]);
  const pause = async (): Promise<void> => setAsked((await send("pause")) !== undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="agent-controls" role="group" aria-label="The agent">
      <span role="status" className={isPaused ? "warn" : "quiet"} dir="auto">
        {stop ?? (isAsked ? "Pausing…" : "Running")}
      </span>
      <span className="spacer" />
      {isPaused ? (
        <>
          <button type="button" onClick={() => void send("step")}>
            <StepForward aria-hidden /> Step
          </button>
          <button type="button" className="primary" onClick={() => void send("resume")}>
            <Play aria-hidden /> Resume
          </button>
        </>
      ) : (
        <button type="button" disabled={isAsked} onClick={() => void pause()}>
          <Pause aria-hidden /> Pause
        </button>
      )}
      <button type="button" onClick={() => void send("checkpoint")}>
        <Flag aria-hidden /> Checkpoint
      </button>
      {isPaused &&
        run.checkpoints.map(({ id, label }) => (
          <button key={id} type="button" onClick={() => void send("rewind", { checkpoint: id })}>
            Back to {label}
          </button>
        ))}
      {run.checkpoints.map(({ id, label }) => (
        <button key={id} type="button" onClick={() => void send("branch", { checkpoint: id })}>
          <GitBranch aria-hidden /> Branch from {label}
        </button>
      ))}
    </div>
  );
}
