import { Circle, CircleStop } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: string;
  onProblem(message: string): void;
}

/** Records a session to disk, and ends that. A recording is on the first page. */
export function RecordButton({ client, session, onProblem }: Props): ReactNode {
  const [state, setState] = useState<{ readonly recording: boolean; readonly canChange: boolean }>();
  useEffect(() => {
    let isOpen = true;
    client.recording(session).then(
      (found) => isOpen && setState(found),
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [client, session]);
  if (!state) return null;
  if (!state.canChange) return state.recording ? <span className="tag recording">recorded</span> : null;
  const toggle = (): void => {
    client
      .recording(session, state.recording ? "DELETE" : "POST")
      .then(setState, (thrown: Error) => onProblem(thrown.message));
  };
  return (
    <button type="button" className={state.recording ? "danger" : undefined} onClick={toggle}>
      {state.recording ? <CircleStop aria-hidden /> : <Circle aria-hidden />}
      {state.recording ? "Stop recording" : "Record"}
    </button>
  );
}
