import { Pause, Play, StepForward } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { AgentControl, ChatClient } from "../../hub/chat-client.js";
import { useAgent } from "../../state/use-agent.js";

interface Props {
  readonly client: ChatClient;
  /** The session in which the agent of the run is debugged. */
  readonly session: string;
  onProblem(problem: string): void;
}

/** Whether the agent is paused; and pause, step and resume. */
export function AgentControls({ client, session, onProblem }: Props): ReactNode {
  const { stop, control: send } = useAgent(client, session);
  const isPaused = stop !== undefined;
  const [isAsked, setAsked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for has happened.
  useEffect(() => setAsked(false), [isPaused]);
  const control = async (type: AgentControl): Promise<void> => {
    try {
      await send(type);
      if (type === "pause") setAsked(true);
    } catch (thrown) {
      onProblem((thrown as Error).message);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className="agent" role="group" aria-label="The agent" title={`Debugged as ${session}`}>
      <span role="status" dir="auto">
        {stop ?? (isAsked ? "Pausing…" : "")}
      </span>
      {!isPaused && (
        <button type="button" disabled={isAsked} onClick={() => void control("pause")}>
          <Pause aria-hidden /> Pause
        </button>
      )}
      {isPaused && (
        <>
          <button type="button" onClick={() => void control("step")}>
            <StepForward aria-hidden /> Step
          </button>
          <button type="button" onClick={() => void control("resume")}>
            <Play aria-hidden /> Resume
          </button>
        </>
      )}
    </div>
  );
}
