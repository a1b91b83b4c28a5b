import { isDeepStrictEqual } from "node:util";
import { BridgeError } from "@debug-bridge/protocol";
import { jsonOf } from "../session/event-writer.js";
import type { AgentHost, Message, ModelResult } from "../types.js";
import type { RecordedModelCall, RecordedToolCall, Recording } from "./recording.js";

/** Where a run that is repeated did something else than the first time. */
export class ReplayDifference extends BridgeError {
  constructor(
    what: string,
    readonly sequence: number,
    readonly recorded: unknown,
    readonly actual: unknown,
  ) {
    super("conflict", `the run differs from its recording at event ${sequence}: ${what}`, {
      sequence,
      recorded,
      actual,
    });
  }
}

/** The recording has nothing further to answer with: the run is repeated as far as it went. */
export class RecordingEnded extends BridgeError {
  constructor() {
    super("cancelled", "the recording ends here");
  }
}

export interface ReplayedOutcome {
  readonly result: unknown;
  readonly isError: boolean;
  readonly cancelled: boolean;
}

/**
 * Answers an agent from a recording: what the model said, and what the tools returned. So the same run happens again
 * without a token and without side effects, until the agent does something else than the first time.
 *
 * @example
 * const replayer = new Replayer(readRecording(folder));
 * const { content } = replayer.answer(messages); // in place of a call of the model
 */
export class Replayer {
  /** Why the run cannot go on: the first difference, or the recording's end. */
  stopped: ReplayDifference | RecordingEnded | undefined;
  private at = 0;
  private readonly tools: RecordedToolCall[];

  constructor(readonly recording: Recording) {
    this.tools = [...recording.toolCalls];
  }

  get isDone(): boolean {
    return this.at >= this.recording.modelCalls.length;
  }

  /** Does to the conversation what a debugger did at this place: injects messages, goes back. */
  repeatChanges(host: Pick<AgentHost, "injectMessage" | "restoreState">): void {
    for (const change of this.recording.modelCalls[this.at]?.changes ?? []) {
      if ("inject" in change) host.injectMessage?.(change.inject);
      else host.restoreState?.(change.restore);
    }
  }

  /** What the model answered to these messages. */
  answer(messages: readonly Message[]): ModelResult {
    const call = this.recording.modelCalls[this.at];
    if (!call) throw this.stop(new RecordingEnded());
    this.compareMessages(call, plain(messages) as Message[]);
    this.at++;
    if (!call.answer) throw this.stop(new RecordingEnded());
    return call.answer;
  }

  /** The input that a call has to begin with: the recorded one, where a debugger had changed it. */
  inputFor(toolId: string, input: unknown): unknown {
    const call = this.tools.find((one) => one.toolId === toolId);
    return call?.changed ? call.input : input;
  }

  /** What a tool returned for this call. */
  outcome(toolId: string, name: string, input: unknown): ReplayedOutcome {
    const index = Math.max(
      0,
      this.tools.findIndex((one) => one.toolId === toolId),
    );
    const call = this.tools[index];
    if (!call) throw this.stop(new RecordingEnded());
    const actual = { name, input: plain(input) ?? null };
    const recorded = { name: call.name, input: call.input };
    if (!isDeepStrictEqual(actual, recorded))
      throw this.stop(
        new ReplayDifference(`it calls ${name}, not the same as recorded`, call.sequence, recorded, actual),
      );
    this.tools.splice(index, 1);
    if (!call.outcome) throw this.stop(new RecordingEnded());
    return call.outcome;
  }

  private compareMessages({ messages, sequence }: RecordedModelCall, actual: readonly Message[]): void {
    if (!messages || isDeepStrictEqual(actual, messages)) return;
    const at = actual.findIndex((message, i) => !isDeepStrictEqual(message, messages[i]));
    const place = at === -1 ? actual.length : at;
    const what = `message ${place + 1} of ${Math.max(actual.length, messages.length)} is not the same`;
    throw this.stop(new ReplayDifference(what, sequence, messages[place], actual[place]));
  }

  private stop(why: ReplayDifference | RecordingEnded): ReplayDifference | RecordingEnded {
    this.stopped ??= why;
    return this.stopped;
  }
}

/** A value as a recording holds it. */
function plain(value: unknown): unknown {
  const json = jsonOf(value);
  return json === undefined ? undefined : JSON.parse(json);
}
