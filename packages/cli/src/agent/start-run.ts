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
import type { BridgeTools } from "./bridge-tools.js";
import { eventsFile } from "./events-file.js";

export interface RunChoice extends ModelChoice {
  readonly script?: string;
  /** The recorded session whose run happens again. */
  readonly replay?: string;
  readonly dir?: string;
}

export interface RunRest extends Omit<RunOptions, "task" | "replayer" | "messages" | "tools"> {
  readonly bridge: BridgeTools;
}

/** Starts the reference agent with what answers for its model: a script, a recording, or a provider. */
export async function startRun(
  task: string | undefined,
  choice: RunChoice,
  { bridge, ...rest }: RunRest,
): Promise<ReferenceRun> {
  if (choice.replay !== undefined)
    return startReplay(choice.replay, task, choice.dir, { ...rest, tools: bridge.deferred });
  if (task === undefined) throw new Error("a run needs a task");
  if (choice.script !== undefined) {
    const model = new ScriptedModel(basename(choice.script), readScript(choice.script));
    return startReferenceAgent({ ...rest, task, model, tools: bridge.deferred });
  }
  // The SDK takes a moment to load, so that it is loaded only once a model is chosen.
  const chosen = chooseModel(choice);
  const { startModelAgent } = await import("@debug-bridge/agent/run");
  const [model, tools] = await Promise.all([chosen.load(), bridge.load()]);
  return startModelAgent({ ...rest, task, model, tools });
}

async function startReplay(
  name: string,
  task: string | undefined,
  dir: string | undefined,
  rest: Omit<RunOptions, "task">,
): Promise<ReferenceRun> {
  const recording = readRecording(dirname(eventsFile(name, dir)));
  const replayer = new Replayer(recording);
  const [first] = recording.modelCalls;
  const injected = first?.changes.filter((change) => "inject" in change).length ?? 0;
  const before = first?.messages?.slice(0, first.messages.length - injected);
  const options = {
    ...rest,
    replayer,
    task: task ?? recording.task,
    // A branch began with a conversation, not with a task alone.
    ...(task === undefined && before ? { messages: before } : {}),
  };
  if (recording.provider === "script")
    return startReferenceAgent({ ...options, model: new ReplayedModel(replayer) });
  const { answeringModel, startModelAgent } = await import("@debug-bridge/agent/run");
  return startModelAgent({ ...options, model: answeringModel(recording, {}) });
}
