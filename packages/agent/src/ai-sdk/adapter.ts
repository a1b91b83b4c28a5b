import type { ModelMessage, ToolSet } from "ai";
import { createAgentDebugger } from "../debugger/debugger.js";
import type { Replayer } from "../replay/replayer.js";
import { StepConversation } from "../session/step-conversation.js";
import type { AgentDebugger, AgentDebuggerOptions, AgentHost } from "../types.js";
import { answeringModel } from "./answering-model.js";
import { type AiSdkModel, recordedModel } from "./model.js";
import { StepSettings } from "./step-settings.js";
import { debuggedTools } from "./tools.js";

export type { AiSdkModel } from "./model.js";

/**
 * A `prepareStep` for whatever tools there are. The SDK's own type of it depends on the tools in a way that does not
 * fit itself where optional members are exact.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type StepFunction = (given: any) => any;

/** What of a step is needed here. */
interface StepGiven {
  readonly messages: readonly ModelMessage[];
  readonly stepNumber: number;
}

export interface AiSdkOptions<Tools extends ToolSet>
  extends Omit<AgentDebuggerOptions, "provider" | "model"> {
  readonly model: AiSdkModel;
  readonly tools?: Tools;
  /** Your own, which is called as before. */
  readonly prepareStep?: StepFunction;
  /** Answers in place of the model and the tools: the recorded run happens again. */
  readonly replayer?: Replayer;
}

/** A loop of the AI SDK that is debugged. */
export interface DebuggedAiSdk<Tools extends ToolSet> {
  readonly debug: AgentDebugger;
  /** What to hand to `generateText` or `streamText`. */
  readonly settings: {
    readonly model: AiSdkModel;
    readonly tools: Tools;
    readonly prepareStep: StepFunction;
  };
  /** The conversation as the model is sent it: with what was injected, and without what was taken back. */
  readonly messages: readonly ModelMessage[];
  /** Whether something was changed after the last step began: it takes effect when the SDK is called again. */
  readonly isChanged: boolean;
  /** The messages to call the SDK with again, after a call that had and brought these. */
  messagesAfter(all: readonly ModelMessage[]): ModelMessage[];
}

/**
 * Makes a loop of the AI SDK debuggable: it stops before each call of the model and of each tool, takes injected
 * messages and changed inputs, and is recorded whole. Close the debugger when the run is over.
 *
 * @example
 * const { debug, settings } = debugAiSdk({ model: openai("gpt-5"), tools });
 * const { text } = await generateText({ ...settings, prompt: "What time is it?", stopWhen: stepCountIs(20) });
 * debug.close();
 */
export function debugAiSdk<Tools extends ToolSet>(options: AiSdkOptions<Tools>): DebuggedAiSdk<Tools> {
  const { model, prepareStep, replayer, ...rest } = options;
  const tools = options.tools ?? ({} as Tools);
  const conversation = new StepConversation<ModelMessage>();
  const stepSettings = new StepSettings(Object.keys(tools));
  const host = hostOf(conversation, stepSettings, Object.keys(tools), options.host);
  const debug = createAgentDebugger({
    ...rest,
    provider: model.provider,
    model: model.modelId,
    host,
  });
  const step: StepFunction = async (given: StepGiven) => {
    const messages = conversation.begin(given.messages, given.stepNumber);
    if (given.stepNumber === 0) tellInput(debug, messages);
    const theirs = await prepareStep?.({ ...given, messages });
    const sent = theirs?.messages ? continued(theirs.messages, messages) : { messages };
    if (replayer?.stopped) throw replayer.stopped;
    replayer?.repeatChanges(host);
    await debug.beforeModelCall(sent);
    conversation.sent();
    return {
      ...theirs,
      ...stepSettings.current(),
      messages: [...sent.messages],
      ...(replayer ? { model: replayed(replayer, sent.messages, debug) } : {}),
    };
  };
  const settings = debug.enabled
    ? { model: recordedModel(model, debug), tools: debuggedTools(tools, debug, replayer), prepareStep: step }
    : { model, tools, prepareStep: prepareStep ?? (() => undefined) };
  return {
    debug,
    settings,
    get messages() {
      return conversation.messages;
    },
    get isChanged() {
      return conversation.isChanged;
    },
    messagesAfter: (all) => conversation.after(all),
  };
}

/** A model that answers as it did in the recording, and is recorded again. */
function replayed(replayer: Replayer, messages: readonly ModelMessage[], debug: AgentDebugger): AiSdkModel {
  return recordedModel(answeringModel(replayer.recording, replayer.answer(messages)), debug);
}

function hostOf(
  conversation: StepConversation<ModelMessage>,
  settings: StepSettings,
  tools: readonly string[],
  host: AgentHost = {},
): AgentHost {
  return {
    messages: () => conversation.messages,
    tools: () => tools,
    injectMessage: (message) => conversation.inject(message),
    saveState: () => ({ messages: conversation.messages }),
    restoreState: (state) => conversation.restore((state as { messages: ModelMessage[] }).messages),
    ...host,
    setVariable: (key, value) => {
      settings.change(key, value);
      host.setVariable?.(key, value);
    },
  };
}

/** Messages that a `prepareStep` chose, and after them those that are injected while the step is held. */
function continued(
  chosen: readonly ModelMessage[],
  all: readonly ModelMessage[],
): { messages: ModelMessage[] } {
  const { length } = all;
  return {
    get messages() {
      return [...chosen, ...all.slice(length)];
    },
  };
}

function tellInput(debug: AgentDebugger, messages: readonly ModelMessage[]): void {
  const last = messages.findLast(({ role }) => role === "user");
  if (last) debug.userInput(typeof last.content === "string" ? last.content : JSON.stringify(last.content));
}
