import { type Breakpoint, stripControlCharacters } from "@debug-bridge/protocol";
import { Argument, Command } from "commander";
import {
  type ControlOptions,
  control,
  parseCount,
  parseMilliseconds,
  withControl,
} from "../agent/agent-command.js";
import type { CommandAnswer } from "../agent/send-command.js";

interface AddOptions extends ControlOptions {
  readonly condition?: string;
  readonly hitCount?: number;
  readonly once?: boolean;
  readonly deadline?: number;
  readonly of?: string;
  readonly regex?: string;
}

const EXAMPLES = `
Examples:
  debug-bridge breakpoint add tool write_file --condition 'input.path == "package.json"'
  debug-bridge breakpoint add iteration 5 --once
  debug-bridge breakpoint add pattern "rm -rf" --deadline 60s
  debug-bridge breakpoint add error --hit-count 2
  debug-bridge breakpoint add event console --of shop --regex declined
  debug-bridge breakpoint list
  debug-bridge breakpoint clear bp-1`;

export function breakpointCommand(): Command {
  // Subcommands take these settings over when they are made.
  const command = new Command("breakpoint")
    .description("stop an agent at a tool, an iteration, a pattern, an error or an event")
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES);
  addCommand(command);
  withControl(command.command("list"))
    .description("list all breakpoints")
    .action((options: ControlOptions) => control("breakpoint", { action: "list" }, options, listed));
  for (const [action, what] of [
    ["clear", "remove a breakpoint"],
    ["enable", "switch a breakpoint on"],
    ["disable", "switch a breakpoint off"],
  ] as const) {
    withControl(command.command(action))
      .description(what)
      .argument("<id>", "its id, such as bp-1")
      .action((id: string, options: ControlOptions) => control("breakpoint", { action, id }, options, one));
  }
  withControl(command.command("clear-all"))
    .description("remove all breakpoints")
    .action((options: ControlOptions) =>
      control(
        "breakpoint",
        { action: "clear-all" },
        options,
        ({ data }) => `${(data as { cleared: number }).cleared} removed`,
      ),
    );
  return command;
}

function addCommand(parent: Command): void {
  const command = withControl(parent.command("add"));
  command
    .description("add a breakpoint")
    .addArgument(new Argument("<on>", "at what").choices(["tool", "iteration", "pattern", "error", "event"]))
    .argument("[what]", "name of the tool, number of the iteration, regular expression, or type of the event")
    .option("--condition <expression>", 'only when it holds: input.path == "a.txt" && iteration > 3')
    .option("--hit-count <n>", "stop at this hit and the later ones", parseCount)
    .option("--once", "stop once, then be gone")
    .option("--deadline <time>", "go on by itself after this time: 500ms, 30s, 5m", parseMilliseconds)
    .option("--of <session>", "for events: those of this session, such as an app on the hub")
    .option("--regex <regex>", "for events: only those that match")
    .addHelpText("after", EXAMPLES)
    .action((on: string, what: string | undefined, options: AddOptions) => {
      const spec = subject(on, what, options);
      if (!spec) {
        const needs =
          on === "error" ? "nothing after it" : on === "iteration" ? "a number from 1 on" : "what to stop at";
        command.error(`error: a breakpoint on ${on} needs ${needs}${EXAMPLES}`);
      }
      if (on !== "event" && (options.of ?? options.regex) !== undefined)
        command.error(`error: --of and --regex are for a breakpoint on an event, not on ${on}${EXAMPLES}`);
      const { condition, hitCount, once, deadline: deadlineMs } = options;
      return control(
        "breakpoint",
        { action: "add", on, ...spec, condition, hitCount, once, deadlineMs },
        options,
        one,
      );
    });
}

/** The fields of a breakpoint that say at what it stops. */
function subject(on: string, what: string | undefined, { of, regex }: AddOptions): object | undefined {
  if (on === "error") return what === undefined ? {} : undefined;
  if (what === undefined || what === "") return undefined;
  if (on === "iteration") return /^[1-9]\d{0,8}$/.test(what) ? { count: Number(what) } : undefined;
  if (on === "tool") return { name: what };
  if (on === "pattern") return { regex: what };
  return { event: what, session: of, regex };
}

function one({ data }: CommandAnswer): string {
  const { breakpoint } = (data ?? {}) as { breakpoint?: Breakpoint };
  return breakpoint ? breakpointLine(breakpoint) : "";
}

function listed({ data }: CommandAnswer): string {
  const { breakpoints = [] } = (data ?? {}) as { breakpoints?: Breakpoint[] };
  if (breakpoints.length === 0) return "none";
  return breakpoints.map((breakpoint) => `\n  ${breakpointLine(breakpoint)}`).join("");
}

function breakpointLine({ id, type, condition, enabled, hits, spec }: Breakpoint): string {
  const extras = [
    spec?.condition === undefined ? "" : `if ${spec.condition}`,
    spec?.hitCount === undefined ? "" : `from hit ${spec.hitCount} on`,
    spec?.once ? "once" : "",
    spec?.deadlineMs === undefined ? "" : `for ${spec.deadlineMs} ms`,
    enabled === false ? "disabled" : "",
    `${hits ?? 0} hits`,
  ].filter((text) => text !== "");
  const subjectText = type === "error" ? "" : ` ${condition}`;
  return stripControlCharacters(`${id}  ${type}${subjectText}  (${extras.join(", ")})`);
}
