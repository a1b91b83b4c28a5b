import type { SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { AgentControls } from "./agent-controls.js";
import { AgentSummary, type CompareOptions } from "./agent-summary.js";
import { Breakpoints } from "./breakpoints.js";
import { Conversation, type StopAt } from "./conversation.js";
import { HeldCallForm } from "./held-call.js";
import { MessageForm } from "./message-form.js";
import { useAgentRun } from "./use-agent-run.js";

/** Sends a command to the agent; resolves with its answer, or with nothing when it refused. */
export type SendToAgent = (type: string, data?: object) => Promise<unknown>;

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** How to steer it; not for a recording. */
  readonly live?: { readonly client: DashboardApi; readonly session: SessionSummary } | undefined;
  readonly ticks: number;
  /** How to compare it with another run. */
  readonly compare?: CompareOptions | undefined;
  onSelect(sequence: number): void;
}

/** An agent's loop: what it said and did, and the ways to stop and steer it. */
export function AgentPane({ reader, timeline, live, ticks, compare, onSelect }: Props): ReactNode {
  const run = useAgentRun(reader, timeline, ticks);
  const [problem, setProblem] = useState<string>();
  const send: SendToAgent = async (type, data = {}) => {
    setProblem(undefined);
    try {
      return await live?.client.command(live.session.id, { type, data });
    } catch (thrown) {
      setProblem((thrown as Error).message);
      return undefined;
    }
  };
  const latestSend = useRef(send);
  latestSend.current = send;
  const [stopped, setStopped] = useState<string>();
  const stopAt = useCallback(async (what: StopAt) => {
    const answer = await latestSend.current("breakpoint", { action: "add", ...what });
    if (answer !== undefined)
      setStopped(
        `The agent stops ${what.on === "tool" ? `before ${what.name}` : "at an error"} from now on.`,
      );
  }, []);
  const canSteer = live?.session.connected === true && !run.hasEnded;
  return (
    <div className="agent-pane">
      <AgentSummary {...{ run, timeline, compare }} />
      {canSteer && <AgentControls run={run} send={send} />}
      {problem !== undefined && (
        <p className="banner" role="alert">
          {visibleText(problem)}
        </p>
      )}
      {canSteer && run.held && (
        <HeldCallForm
          key={`${run.held.toolId} ${JSON.stringify(run.held.input)}`}
          held={run.held}
          send={send}
        />
      )}
      <Conversation run={run} onSelect={onSelect} onStopAt={canSteer ? stopAt : undefined} />
      {stopped !== undefined && (
        <p className="banner" role="status">
          {visibleText(stopped)}
        </p>
      )}
      {canSteer && (
        <>
          <Breakpoints send={send} />
          <MessageForm send={send} />
        </>
      )}
    </div>
  );
}
