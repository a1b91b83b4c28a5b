import type { Breakpoint } from "@debug-bridge/protocol";
import { contentText } from "@debug-bridge/protocol";
import type { FileEvent } from "../events/event-line.js";

/** Older events are only in the file. */
const MAX_EVENTS = 1_000;
const MAX_MESSAGES = 200;

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
}

/** A tool call that is held or running. */
export interface ShownCall {
  readonly toolId: string;
  readonly name: string;
  readonly input?: unknown;
  /** Whether its input was edited. */
  readonly changed?: boolean;
}

/** What the screen shows of an agent. All of it comes from its events. */
export interface AgentView {
  readonly events: readonly FileEvent[];
  readonly messages: readonly ShownMessage[];
  readonly breakpoints: readonly Breakpoint[];
  readonly provider: string;
  readonly iteration: number;
  /** Why it is paused; `undefined` while it runs. */
  readonly paused: string | undefined;
  /** The tool call that is held or running. */
  readonly call: ShownCall | undefined;
  readonly over: string | undefined;
  /** The last answer to a command that a person should read. */
  readonly notice: { readonly text: string; readonly isError: boolean } | undefined;
}

export const EMPTY_VIEW: AgentView = {
  events: [],
  messages: [],
  breakpoints: [],
  provider: "",
  iteration: 0,
  paused: undefined,
  call: undefined,
  over: undefined,
  notice: undefined,
};

type Data = Readonly<Record<string, unknown>>;
type Change = Partial<AgentView>;

/** The view after one more event. Quiet commands are those that the screen itself sent. */
export function withEvent(
  view: AgentView,
  event: FileEvent,
  isQuiet: (commandId: unknown) => boolean,
): AgentView {
  const data = (typeof event.data === "object" && event.data !== null ? event.data : {}) as Data;
  const hidden =
    event.type === "command_executed" || (event.type === "command_response" && isQuiet(data.commandId));
  const events = hidden ? view.events : [...view.events, event].slice(-MAX_EVENTS);
  const iteration = typeof data.iteration === "number" ? data.iteration : view.iteration;
  return { ...view, events, iteration, ...change(event.type, data, view, isQuiet) };
}

function change(type: string, data: Data, view: AgentView, isQuiet: (id: unknown) => boolean): Change {
  switch (type) {
    case "session_start":
      return { provider: [data.provider, data.model].filter((part) => typeof part === "string").join("/") };
    case "paused":
      return { paused: word(data.reason, "paused") };
    case "resumed":
      return { paused: undefined };
    case "breakpoint_hit":
      return heldCall(data.toolCall);
    case "tool_call_start":
      return heldCall(data);
    case "tool_call_end":
      return { call: undefined };
    case "user_input":
      return withMessage(view, "user", data.input ?? data.content);
    case "assistant_message":
      return withMessage(view, "assistant", data.content);
    case "tool_result":
      return withMessage(view, "tool", data.result);
    case "command_response":
      return answered(data, view, isQuiet(data.commandId));
    default:
      return {};
  }
}

function answered({ type, success, error, data }: Data, view: AgentView, quiet: boolean): Change {
  if (success === false)
    return quiet ? {} : { notice: { text: `${word(type)}: ${word(error)}`, isError: true } };
  const answer = (typeof data === "object" && data !== null ? data : {}) as Data;
  const notice = quiet ? {} : { notice: { text: `${word(type)} ✓`, isError: false } };
  if (type === "inspect") return { ...notice, ...inspected(answer, view) };
  if (type === "breakpoint" && Array.isArray(answer.breakpoints))
    return { ...notice, breakpoints: answer.breakpoints.filter(isBreakpoint) };
  if (type === "inject_message")
    return { ...notice, ...withMessage(view, word(answer.role, "user"), answer.content) };
  return notice;
}

function inspected({ messages, paused, pauseReason, held, iteration }: Data, view: AgentView): Change {
  const { all } = (typeof messages === "object" && messages !== null ? messages : {}) as { all?: unknown };
  return {
    ...(typeof iteration === "number" ? { iteration } : {}),
    ...(paused === false ? { paused: undefined } : {}),
    ...(paused === true ? { paused: word(pauseReason, view.paused ?? "paused") } : {}),
    ...(Array.isArray(held) ? heldCall(held[0]) : {}),
    ...(Array.isArray(all)
      ? {
          messages: (all as Data[])
            .slice(-MAX_MESSAGES)
            .map((message) => ({ role: word(message?.role, "?"), text: contentText(message?.content) })),
        }
      : {}),
  };
}

function withMessage(view: AgentView, role: string, content: unknown): Change {
  return { messages: [...view.messages, { role, text: contentText(content) }].slice(-MAX_MESSAGES) };
}

function heldCall(call: unknown): Change {
  const { toolId, name, input, changed } = (typeof call === "object" && call !== null ? call : {}) as Data;
  if (typeof toolId !== "string") return {};
  return { call: { toolId, name: word(name, "tool"), input, ...(changed === true ? { changed } : {}) } };
}

const word = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise);

function isBreakpoint(value: unknown): value is Breakpoint {
  return typeof (value as Breakpoint | null)?.id === "string";
}
