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
 * A `prepareStep` for any tools. The SDK's own type depends on the tools in a way that does not compile with
 * `exactOptionalPropertyTypes`.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type StepFunction = (given: any) => any;

/** The part of a step that is used here. */
interface StepGiven {
  readonly messages: readonly ModelMessage[];
  readonly stepNumber: number;
}

export interface AiSdkOptions<Tools extends ToolSet>
  extends Omit<AgentDebuggerOptions, "provider" | "model"> {
  readonly model: AiSdkModel;
  readonly tools?: Tools;
  /** Your own `prepareStep`. It is called as before. */
  readonly prepareStep?: StepFunction;
  /** Answers instead of the model and the tools, to repeat a recorded run. */
  readonly replayer?: Replayer;
}

/** A debugged loop of the AI SDK. */
export interface DebuggedAiSdk<Tools extends ToolSet> {
  readonly debug: AgentDebugger;
  /** Pass these to `generateText` or `streamText`. */
  readonly settings: {
    readonly model: AiSdkModel;
    readonly tools: Tools;
    readonly prepareStep: StepFunction;
  };
  /** The conversation as it is sent to the model, with injected messages and without rewound ones. */
  readonly messages: readonly ModelMessage[];
  /** Whether something changed after the last step began. Call the SDK again to apply it. */
  readonly isChanged: boolean;
  /** The messages for the next SDK call, given all messages of the last one. */
  messagesAfter(all: readonly ModelMessage[]): ModelMessage[];
}

/**
 * Makes a loop of the AI SDK debuggable: it can pause before each model call and each tool call, accepts injected
 * messages and changed inputs, and is recorded completely. Close the debugger at the end of the run.
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
    if (given.stepNumber === 0) recordInput(debug, messages);
    const theirs = await prepareStep?.({ ...given, messages });
    const sent = theirs?.messages ? continued(theirs.messages, messages) : { messages };
    if (replayer?.stopped) throw replayer.stopped;
    replayer?.repeatChanges(host);
    await debug.beforeModelCall(sent);
    conversation.markSent();
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

/** A model that repeats its recorded answers, and is recorded again. */
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

/** The messages that a `prepareStep` chose, followed by those injected while the step is held. */
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

function recordInput(debug: AgentDebugger, messages: readonly ModelMessage[]): void {
  const last = messages.findLast(({ role }) => role === "user");
  if (last) debug.userInput(typeof last.content === "string" ? last.content : JSON.stringify(last.content));
}
