import { Pause, Play, StepForward } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ChatClient } from "../hub/chat-client.js";

interface Props {
  readonly client: ChatClient;
  /** The session in which the agent of the run is debugged. */
  readonly session: string;
  onProblem(problem: string): void;
}

/** Pause, step and resume of the agent while it runs. */
export function AgentControls({ client, session, onProblem }: Props): ReactNode {
  const [isPaused, setPaused] = useState(false);
  const control = async (type: "pause" | "resume" | "step"): Promise<void> => {
    try {
      await client.control(session, type);
      setPaused(type !== "resume");
    } catch (thrown) {
      onProblem((thrown as Error).message);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className="controls" role="group" aria-label="Control the agent">
      {isPaused ? (
        <>
          <button type="button" onClick={() => void control("resume")}>
            <Play aria-hidden /> Resume
          </button>
          <button type="button" onClick={() => void control("step")}>
            <StepForward aria-hidden /> Step
          </button>
          <span role="status">Pauses before the next step</span>
        </>
      ) : (
        <button type="button" onClick={() => void control("pause")}>
          <Pause aria-hidden /> Pause
        </button>
      )}
    </div>
  );
}
