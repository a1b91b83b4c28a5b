import { basename, dirname } from "node:path";
import {
  chooseModel,
  type ModelChoice,
  type ReferenceRun,
  ReplayedModel,
  Replayer,
  type RunOptions,
  readRecording,
  readScript,
  ScriptedModel,
  startReferenceAgent,
} from "@debug-bridge/agent";
import type { RootChoice } from "../session/choose-session.js";
import type { BridgeTools } from "./bridge-tools.js";
import { eventsFile } from "./events-file.js";

export interface RunChoice extends ModelChoice, RootChoice {
  readonly script?: string;
  /** The recorded session that is run again. */
  readonly replay?: string;
}

export interface RunRest extends Omit<RunOptions, "task" | "replayer" | "messages" | "tools"> {
  readonly bridge: BridgeTools;
}

export interface StartedRun extends ReferenceRun {
  /** What a replayed run can say about its recording at its end. */
  compared?(): string;
}

/** Starts the reference agent. A script, a recording or a provider answers for its model. */
export async function startRun(
  task: string | undefined,
  choice: RunChoice,
  { bridge, ...rest }: RunRest,
): Promise<StartedRun> {
  if (choice.replay !== undefined)
    return startReplay(choice.replay, task, choice, { ...rest, tools: bridge.deferred });
  if (task === undefined) throw new Error("a run needs a task");
  if (choice.script !== undefined) {
    const model = new ScriptedModel(basename(choice.script), readScript(choice.script));
    return startReferenceAgent({ ...rest, task, model, tools: bridge.deferred });
  }
  // The SDK takes a moment to load, so it is loaded only when a model is chosen.
  const chosen = chooseModel(choice);
  const { startModelAgent } = await import("@debug-bridge/agent/run");
  const [model, tools] = await Promise.all([chosen.load(), bridge.load()]);
  return startModelAgent({ ...rest, task, model, tools });
}

async function startReplay(
  name: string,
  task: string | undefined,
  choice: RootChoice,
  rest: Omit<RunOptions, "task">,
): Promise<StartedRun> {
  const recording = readRecording(dirname(eventsFile(name, choice)));
  const replayer = new Replayer(recording);
  const [first] = recording.modelCalls;
  const injected = first?.changes.filter((change) => "inject" in change).length ?? 0;
  const before = first?.messages?.slice(0, first.messages.length - injected);
  const options = {
    ...rest,
    replayer,
    task: task ?? recording.task,
    // A branch started with a conversation, not only with a task.
    ...(task === undefined && before ? { messages: before } : {}),
  };
  const compared = (): string => comparisonText(replayer);
  if (recording.provider === "script")
    return { ...startReferenceAgent({ ...options, model: new ReplayedModel(replayer) }), compared };
  const { answeringModel, startModelAgent } = await import("@debug-bridge/agent/run");
  return { ...startModelAgent({ ...options, model: answeringModel(recording, {}) }), compared };
}

/** Says "the same" only of what was compared. */
function comparisonText({ recording, answered, uncompared }: Replayer): string {
  const { length } = recording.modelCalls;
  const missing = [
    uncompared > 0 &&
      `${uncompared} of ${answered} requests have no messages in the recording and were not compared`,
    answered < length && `the run ended after ${answered} of ${length} recorded answers`,
  ].filter((text) => text !== false);
  return missing.length === 0 ? "the same as recorded" : missing.join("; ");
}
