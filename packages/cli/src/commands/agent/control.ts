import type { StateSnapshot } from "@debug-bridge/protocol";
import { Command } from "commander";
import { type ControlOptions, control, withControl, withLater } from "../../agent/command/agent-command.js";
import {
  type Positional,
  splitKnownSession,
  splitSession,
  withWord,
} from "../../agent/command/positional.js";
import type { CommandAnswer } from "../../agent/command/send-command.js";
import { snapshotText } from "../../agent/events/snapshot-text.js";
import { isSession } from "../../agent/session/choose-session.js";
import { addDetails } from "../../terminal/help.js";

interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly notes?: string;
  readonly examples: readonly string[];
  split(command: Command, words: readonly string[], options: ControlOptions): Positional;
  /** The command for the agent. */
  readonly type: string;
  /** Whether it can be given before an agent runs. */
  readonly canBeLater?: boolean;
  data(words: readonly string[], command: Command): Record<string, unknown>;
  show?(answer: CommandAnswer): string;
}

const PARTS = ["messages", "context", "tools", "all"];
const ROLES = ["user", "assistant"];

const needs =
  (count: number): Verb["split"] =>
  (command, words) =>
    splitSession(command, words, { needs: count });

const field = (name: string) => (answer: CommandAnswer) =>
  String((answer.data as Record<string, unknown> | undefined)?.[name] ?? "");

const VERBS: readonly Verb[] = [
  {
    name: "pause",
    summary: "pause an agent before its next model call",
    usage: "[SESSION] [options]",
    examples: ["debug-bridge agent pause", "debug-bridge agent pause ab12"],
    split: needs(0),
    type: "pause",
    canBeLater: true,
    data: () => ({}),
  },
  {
    name: "resume",
    summary: "let a paused agent continue",
    usage: "[SESSION] [options]",
    examples: ["debug-bridge agent resume"],
    split: needs(0),
    type: "resume",
    canBeLater: true,
    data: () => ({}),
    show: ({ data }) =>
      (data as { wasPaused?: boolean } | undefined)?.wasPaused === false ? "it was not paused" : "",
  },
  {
    name: "step",
    summary: "run one iteration of an agent and pause it again",
    usage: "[SESSION] [options]",
    examples: ["debug-bridge agent step"],
    split: needs(0),
    type: "step",
    data: () => ({}),
  },
  {
    name: "inspect",
    summary: "show the state of an agent",
    usage: "[SESSION] [PART] [options]",
    notes: "PART is messages, context, tools or all, which is the default.",
    examples: [
      "debug-bridge agent inspect messages",
      "debug-bridge agent inspect --json | jq .data.messages.all",
    ],
    split: splitPart,
    type: "inspect",
    data: ([what = "all"], command) => ({ what: oneOf(command, "part", what, PARTS) }),
    show: ({ data }) => snapshotText(data as StateSnapshot),
  },
  {
    name: "inject",
    summary: "add a message to the conversation of an agent",
    usage: "[SESSION] user|assistant CONTENT [options]",
    examples: ['debug-bridge agent inject user "Look at the coupon first."'],
    split: needs(2),
    type: "inject_message",
    data: ([role = "", content], command) => ({ role: oneOf(command, "role", role, ROLES), content }),
  },
  {
    name: "set",
    summary: "set a variable, or the input of the held tool call",
    usage: "[SESSION] KEY VALUE [options]",
    examples: ["debug-bridge agent set maxIterations 20", "debug-bridge agent set input.path notes.txt"],
    split: needs(2),
    type: "set_variable",
    data: ([key, value = ""]) => ({ key, value: jsonOrText(value) }),
  },
  {
    name: "cancel",
    summary: "cancel a tool call that is held or running",
    usage: "[SESSION] TOOL_ID [options]",
    examples: ["debug-bridge agent cancel call_3"],
    split: needs(1),
    type: "cancel_tool",
    data: ([toolId]) => ({ toolId }),
  },
  {
    name: "checkpoint",
    summary: "save the state of an agent to go back to it",
    usage: "[SESSION] [LABEL] [options]",
    examples: ['debug-bridge agent checkpoint "before the edit"'],
    split: (command, words, options) => splitKnownSession(command, words, options),
    type: "checkpoint",
    data: ([label]) => (label === undefined ? {} : { label }),
    show: field("checkpoint"),
  },
  {
    name: "rewind",
    summary: "take an agent back to a checkpoint",
    usage: "[SESSION] CHECKPOINT [options]",
    examples: ["debug-bridge agent rewind cp-1"],
    split: needs(1),
    type: "rewind",
    data: ([checkpoint]) => ({ checkpoint }),
  },
  {
    name: "branch",
    summary: "start another, paused run from a checkpoint",
    usage: "[SESSION] CHECKPOINT [options]",
    examples: ["debug-bridge agent branch cp-1", "debug-bridge agent diff ab12 cd34"],
    split: needs(1),
    type: "branch",
    data: ([checkpoint]) => ({ checkpoint }),
    show: (answer) => field("session")(answer) || field("branch")(answer),
  },
];

/** The commands that control a running agent. */
export function controlCommands(): Command[] {
  return VERBS.map((verb) => {
    const base = withControl(new Command(verb.name));
    const command = (verb.canBeLater ? withLater(base) : base)
      .description(verb.summary)
      .usage(verb.usage)
      .argument("[words...]", "SESSION: an id, the end of one, or a name (default: the current one)");
    command.action((given: string[], options: ControlOptions) => {
      const split = verb.split(command, given, options);
      const data = verb.data(split.words, command);
      return control(verb.type, data, withWord(options, split), verb.show);
    });
    return addDetails(command, verb);
  });
}

/** A single word is a part of the state or a session. */
function splitPart(command: Command, words: readonly string[], options: ControlOptions): Positional {
  const [word] = words;
  if (words.length !== 1 || word === undefined || PARTS.includes(word))
    return splitSession(command, words, { needs: 0, max: 1 });
  if (options.hub === undefined && !isSession(word, options))
    command.error(`error: "${word}" is neither a session nor a part; use messages, context, tools or all`);
  return { session: word, words: [] };
}

function oneOf(command: Command, what: string, value: string, choices: readonly string[]): string {
  if (!choices.includes(value))
    command.error(
      `error: unknown ${what} "${value}"; use ${choices.join(", ").replace(/, (\w+)$/, " or $1")}`,
    );
  return value;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
