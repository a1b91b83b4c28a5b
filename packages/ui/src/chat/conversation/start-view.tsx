import type { ReactNode } from "react";
import type { AgentProvider } from "../../hub/chat-client.js";
import type { HubState } from "../../state/use-hub.js";
import { AgentPicker } from "../composer/agent-picker.js";
import { Bars } from "./skeletons.js";

interface Props {
  readonly hub: HubState;
  readonly chosen: AgentProvider | undefined;
  onChoose(name: string): void;
}

/** The beginning of a new chat. */
export function StartView({ hub, chosen, onChoose }: Props): ReactNode {
  return (
    <div className="start">
      <h2>What should the agent do?</h2>
      <p>It sees and uses the page above, and you see every step. It asks before it acts on a site.</p>
      {hub.connection === "connecting" ? (
        <Bars widths={[30, 45, 40]} />
      ) : (
        <AgentPicker providers={hub.providers} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  );
}
