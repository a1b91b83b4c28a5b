import type { ShownCall } from "./view.js";
import { wordsOf } from "./words.js";

export interface AgentCommand {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a key does: it sends a command, or asks for words first. */
export interface KeyAction {
  readonly key: string;
  readonly does: string;
  /** What the person is asked for before the command is sent. */
  readonly asks?: string;
  /** The words with which the person begins. */
  prefill?(held: ShownCall | undefined): string;
  /** The command, or a text that explains what is wrong with the words. */
  command(words: string, held: ShownCall | undefined): AgentCommand | string;
}

const plain = (key: string, does: string, type: string): KeyAction => ({
  key,
  does,
  command: () => ({ type, data: {} }),
});

/** One-key commands, in the order in which the screen lists them. */
export const KEY_ACTIONS: readonly KeyAction[] = [
  plain("p", "pause", "pause"),
  plain("r", "resume", "resume"),
  plain("s", "step", "step"),
  {
    key: "b",
    does: "break",
    asks: "break at: tool NAME · pattern REGEX · iteration N · error · event TYPE",
    command: breakpoint,
  },
  {
    key: "d",
    does: "clear bp",
    asks: "clear breakpoint (its id, or all)",
    command: (words) => ({
      type: "breakpoint",
      data: words.trim() === "all" ? { action: "clear-all" } : { action: "clear", id: words.trim() },
    }),
  },
  {
    key: "m",
    does: "message",
    asks: "message to the agent",
    command: (words) =>
      words.trim() === ""
        ? "type a message"
        : { type: "inject_message", data: { role: "user", content: words } },
  },
  {
    key: "u",
    does: "edit input",
    asks: "input of the held call",
    prefill: (held) => (held?.input === undefined ? "" : JSON.stringify(held.input)),
    command: editedInput,
  },
  { key: "e", does: "set", asks: "set: input.NAME VALUE, or VARIABLE VALUE", command: variable },
  {
    key: "x",
    does: "cancel call",
    command: (_words, held) =>
      held ? { type: "cancel_tool", data: { toolId: held.toolId } } : "no tool call is held or runs",
  },
  plain("c", "checkpoint", "checkpoint"),
  {
    key: "w",
    does: "rewind",
    asks: "rewind to checkpoint (cp-1)",
    command: (words) => ({ type: "rewind", data: { checkpoint: words.trim() } }),
  },
  {
    key: "n",
    does: "branch",
    asks: "branch from checkpoint (cp-1)",
    command: (words) => ({ type: "branch", data: { checkpoint: words.trim() } }),
  },
  { key: "i", does: "inspect", command: () => ({ type: "inspect", data: { what: "messages" } }) },
];

function breakpoint(words: string): AgentCommand | string {
  const [on = "", ...rest] = wordsOf(words);
  const what = rest.join(" ");
  const add = (data: object): AgentCommand => ({ type: "breakpoint", data: { action: "add", on, ...data } });
  switch (on) {
    case "error":
      return add({});
    case "tool":
      return what === "" ? "which tool?" : add({ name: what });
    case "pattern":
      return what === "" ? "which pattern?" : add({ regex: what });
    case "event":
      return what === "" ? "which event?" : add({ event: what });
    case "iteration":
      return /^[1-9]\d{0,8}$/.test(what)
        ? add({ count: Number(what) })
        : "which iteration? a number of at least 1";
    default:
      return `cannot stop at "${on}"; use tool, pattern, iteration, error or event`;
  }
}

function editedInput(words: string, held: ShownCall | undefined): AgentCommand | string {
  if (!held) return "no tool call is held";
  try {
    return { type: "set_variable", data: { key: "input", value: JSON.parse(words) } };
  } catch (thrown) {
    return `not valid JSON: ${(thrown as Error).message}`;
  }
}

function variable(words: string): AgentCommand | string {
  const [, key, text] = /^\s*(\S+)\s+(.+)$/s.exec(words) ?? [];
  if (key === undefined || text === undefined) return "a name and a value";
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Text, then.
  }
  return { type: "set_variable", data: { key, value } };
}
