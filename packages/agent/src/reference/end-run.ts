import { RecordingEnded } from "../replay/replayer.js";
import type { AgentDebugger } from "../types.js";

/** Ends a run that threw. A recording that ended is a normal end; anything else is thrown again. */
export async function endRun(debug: AgentDebugger, thrown: unknown): Promise<void> {
  if (thrown instanceof RecordingEnded) {
    debug.close(thrown.message);
    return;
  }
  await debug.error(thrown, "agent");
  debug.close("error");
  throw thrown;
}
