import type { Breakpoint } from "@debug-bridge/protocol";
import { Command } from "commander";
import { type ControlOptions, control, withControl, withLater } from "../../agent/command/agent-command.js";
import { type Positional, splitSession, withWord } from "../../agent/command/positional.js";
import type { CommandAnswer } from "../../agent/command/send-command.js";
import { parseCount, parseMilliseconds } from "../../options.js";
import { addDetails } from "../../terminal/help.js";

interface AddOptions extends ControlOptions {
  readonly condition?: string;
  readonly hitCount?: number;
  readonly once?: boolean;
  readonly deadline?: number;
  readonly eventSession?: string;
  readonly regex?: string;
}

const KINDS = ["tool", "iteration", "pattern", "error", "event"];

const EXAMPLES = [
  "debug-bridge agent breakpoint add tool write_file",
  "debug-bridge agent breakpoint add tool Bash --condition 'iteration > 3'",
  "debug-bridge agent breakpoint add iteration 5 --once",
  'debug-bridge agent breakpoint add pattern "rm -rf" --deadline 60s',
  "debug-bridge agent breakpoint add error --hit-count 2",
  "debug-bridge agent breakpoint add event console --regex declined",
  "debug-bridge agent breakpoint add event error --event-session shop",
  "debug-bridge agent breakpoint clear bp-1",
];

export function breakpointCommand(): Command {
  const command = new Command("breakpoint").description(
    "stop an agent at a tool, iteration, pattern, error or event",
  );
  command.addCommand(addCommand());
  command.addCommand(simple("list", "list all breakpoints", 0, () => ({}), listText));
  command.addCommand(simple("clear", "remove a breakpoint", 1, ([id]) => ({ id }), oneText));
  command.addCommand(simple("clear-all", "remove all breakpoints", 0, () => ({}), clearedText));
  command.addCommand(simple("enable", "switch a breakpoint on", 1, ([id]) => ({ id }), oneText));
  command.addCommand(simple("disable", "switch a breakpoint off", 1, ([id]) => ({ id }), oneText));
  return addDetails(command, { examples: EXAMPLES });
}

function simple(
  action: string,
  summary: string,
  needs: 0 | 1,
  data: (words: readonly string[]) => object,
  show: (answer: CommandAnswer) => string,
): Command {
  const command = withLater(withControl(new Command(action)))
    .description(summary)
    .usage(`[SESSION]${needs === 1 ? " ID" : ""} [options]`)
    .argument("[words...]", needs === 1 ? "ID: of the breakpoint, such as bp-1" : "SESSION: of the agent");
  command.action((given: string[], options: ControlOptions) => {
    const split = splitSession(command, given, { needs });
    return control("breakpoint", { action, ...data(split.words) }, withWord(options, split), show);
  });
  const words = needs === 1 ? " bp-1" : "";
  return addDetails(command, { examples: [`debug-bridge agent breakpoint ${action}${words}`] });
}

function addCommand(): Command {
  const command = withLater(withControl(new Command("add")))
    .description("add a breakpoint")
    .usage("[SESSION] KIND [WHAT] [options]")
    .argument("[words...]", "WHAT: a tool, a number, a regular expression, or a type of event")
    .option("--condition <expression>", 'only if it holds: input.path == "a.txt" && iteration > 3')
    .option("--hit-count <n>", "stop at this hit and later ones", parseCount)
    .option("--once", "stop once, then remove it")
    .option("--deadline <time>", "continue after this time: 500ms, 30s, 5m", parseMilliseconds)
    .option("--event-session <session>", "for events: only those of this session")
    .option("--regex <regex>", "for events: only those that match");
  command.action((given: string[], options: AddOptions) => {
    const split = splitKind(command, given);
    const [on = "", what] = split.words;
    const spec = subject(on, what, options);
    if (!spec) {
      const wanted =
        on === "error"
          ? "nothing after it"
          : on === "iteration"
            ? "a number of at least 1"
            : "what to stop at";
      command.error(`error: a breakpoint on ${on} needs ${wanted}`);
    }
    if (on !== "event" && (options.eventSession ?? options.regex) !== undefined)
      command.error(`error: --event-session and --regex are for a breakpoint on an event, not on ${on}`);
    const { condition, hitCount, once, deadline: deadlineMs } = options;
    const data = { action: "add", on, ...spec, condition, hitCount, once, deadlineMs };
    return control("breakpoint", data, withWord(options, split), oneText);
  });
  return addDetails(command, {
    notes:
      "KIND and WHAT: tool NAME, iteration NUMBER, pattern REGEX, error, or event TYPE. Quote text with spaces.",
    examples: EXAMPLES,
  });
}

/** A first word that is no kind of breakpoint is a session. */
function splitKind(command: Command, given: readonly string[]): Positional {
  const isKind = (word: string | undefined): boolean => word !== undefined && KINDS.includes(word);
  const hasSession = !isKind(given[0]) && isKind(given[1]);
  const words = hasSession ? given.slice(1) : given;
  if (!isKind(words[0]))
    command.error(`error: cannot stop at "${words[0] ?? ""}"; use tool, iteration, pattern, error or event`);
  if (words.length > 2) command.error(`error: unexpected argument "${words[2]}"; quote text with spaces`);
  return hasSession ? { session: given[0] as string, words } : { words };
}

/** The fields of a breakpoint that define where it stops. */
function subject(
  on: string,
  what: string | undefined,
  { eventSession, regex }: AddOptions,
): object | undefined {
  if (on === "error") return what === undefined ? {} : undefined;
  if (what === undefined || what === "") return undefined;
  if (on === "iteration") return /^[1-9]\d{0,8}$/.test(what) ? { count: Number(what) } : undefined;
  if (on === "tool") return { name: what };
  if (on === "pattern") return { regex: what };
  return { event: what, session: eventSession, regex };
}

function oneText({ data }: CommandAnswer): string {
  const { breakpoint } = (data ?? {}) as { breakpoint?: Breakpoint };
  return breakpoint ? breakpointLine(breakpoint) : "";
}

function listText({ data }: CommandAnswer): string {
  const { breakpoints = [] } = (data ?? {}) as { breakpoints?: Breakpoint[] };
  if (breakpoints.length === 0) return "none";
  return breakpoints.map((breakpoint) => `\n  ${breakpointLine(breakpoint)}`).join("");
}

function clearedText({ data }: CommandAnswer): string {
  return `${(data as { cleared?: number } | undefined)?.cleared ?? 0} removed`;
}

function breakpointLine({ id, type, condition, enabled, hits, spec }: Breakpoint): string {
  const extras = [
    spec?.condition === undefined ? "" : `if ${spec.condition}`,
    spec?.hitCount === undefined ? "" : `from hit ${spec.hitCount}`,
    spec?.once ? "once" : "",
    spec?.deadlineMs === undefined ? "" : `for ${spec.deadlineMs} ms`,
    enabled === false ? "disabled" : "",
    `${hits ?? 0} hits`,
  ].filter((text) => text !== "");
  const subjectText = type === "error" ? "" : ` ${condition}`;
  return `${id}  ${type}${subjectText}  (${extras.join(", ")})`;
}
