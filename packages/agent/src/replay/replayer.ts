import { isDeepStrictEqual } from "node:util";
import { BridgeError } from "@debug-bridge/protocol";
import { jsonOf } from "../session/event-writer.js";
import type { AgentHost, Message, ModelResult } from "../types.js";
import type { RecordedModelCall, RecordedToolCall, Recording } from "./recording.js";

/** The replayed run did something different from the recording. */
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

/** The recording has no more answers: the run was replayed as far as it was recorded. */
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
 * Answers an agent from a recording: the model's answers and the results of tools. The same run happens again without
 * tokens and without side effects, until the agent does something different.
 *
 * @example
 * const replayer = new Replayer(readRecording(folder));
 * const { content } = replayer.answer(messages); // instead of a model call
 */
export class Replayer {
  /** Why the run cannot continue: the first difference, or the end of the recording. */
  stopped: ReplayDifference | RecordingEnded | undefined;
  /** Answers that were given without a comparison: the recording does not have the messages of their requests. */
  uncompared = 0;
  private at = 0;
  private readonly tools: RecordedToolCall[];

  constructor(readonly recording: Recording) {
    this.tools = [...recording.toolCalls];
  }

  /** How many recorded answers were given. */
  get answered(): number {
    return this.at;
  }

  get isDone(): boolean {
    return this.at >= this.recording.modelCalls.length;
  }

  /** Repeats the changes that a debugger made at this point: injected messages and rewinds. */
  repeatChanges(host: Pick<AgentHost, "injectMessage" | "restoreState">): void {
    for (const change of this.recording.modelCalls[this.at]?.changes ?? []) {
      if ("inject" in change) host.injectMessage?.(change.inject);
      else host.restoreState?.(change.restore);
    }
  }

  /** The recorded answer to these messages. */
  answer(messages: readonly Message[]): ModelResult {
    const call = this.recording.modelCalls[this.at];
    if (!call) throw this.stop(new RecordingEnded());
    if (call.messages === undefined) this.uncompared++;
    this.compareMessages(call, plain(messages) as Message[]);
    this.at++;
    if (!call.answer) throw this.stop(new RecordingEnded());
    return call.answer;
  }

  /** The input of a call: the recorded one if a debugger changed it. */
  inputFor(toolId: string, input: unknown): unknown {
    const call = this.tools.find((one) => one.toolId === toolId);
    return call?.changed ? call.input : input;
  }

  /** The recorded result of a tool call. */
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
        new ReplayDifference(`the call of ${name} is different`, call.sequence, recorded, actual),
      );
    this.tools.splice(index, 1);
    if (!call.outcome) throw this.stop(new RecordingEnded());
    return call.outcome;
  }

  private compareMessages({ messages, sequence }: RecordedModelCall, actual: readonly Message[]): void {
    if (!messages || isDeepStrictEqual(actual, messages)) return;
    const at = actual.findIndex((message, i) => !isDeepStrictEqual(message, messages[i]));
    const place = at === -1 ? actual.length : at;
    const what = `message ${place + 1} of ${Math.max(actual.length, messages.length)} is different`;
    throw this.stop(new ReplayDifference(what, sequence, messages[place], actual[place]));
  }

  private stop(why: ReplayDifference | RecordingEnded): ReplayDifference | RecordingEnded {
    this.stopped ??= why;
    return this.stopped;
  }
}

/** A value as it is stored in a recording. */
function plain(value: unknown): unknown {
  const json = jsonOf(value);
  return json === undefined ? undefined : JSON.parse(json);
}
