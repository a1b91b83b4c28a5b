import type { StateSnapshot } from "@debug-bridge/protocol";
import { Argument, Command } from "commander";
import { type ControlOptions, control, withControl } from "../agent/agent-command.js";
import { snapshotText } from "../agent/snapshot-text.js";

const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;

/** The commands that steer an agent which runs. */
export function controlCommands(): Command[] {
  return [pause(), resume(), step(), inspect(), inject(), set(), cancel(), checkpoint(), rewind(), branch()];
}

function pause(): Command {
  return withControl(new Command("pause"))
    .description("stop an agent before its next call of the model")
    .addHelpText("after", examples("debug-bridge pause", "debug-bridge pause -s ab12"))
    .action((options: ControlOptions) => control("pause", {}, options));
}

function resume(): Command {
  return withControl(new Command("resume"))
    .description("let a paused agent go on")
    .addHelpText("after", examples("debug-bridge resume"))
    .action((options: ControlOptions) =>
      control("resume", {}, options, ({ data }) =>
        (data as { wasPaused?: boolean } | undefined)?.wasPaused === false ? "it was not paused" : "",
      ),
    );
}

function step(): Command {
  return withControl(new Command("step"))
    .description("let an agent run one iteration, then pause it again")
    .addHelpText("after", examples("debug-bridge step"))
    .action((options: ControlOptions) => control("step", {}, options));
}

function inspect(): Command {
  return withControl(new Command("inspect"))
    .description("show an agent's state")
    .addArgument(
      new Argument("[what]", "which part").choices(["messages", "context", "tools", "all"]).default("all"),
    )
    .addHelpText(
      "after",
      examples("debug-bridge inspect messages", "debug-bridge inspect --json | jq .data.messages.all"),
    )
    .action((what: string, options: ControlOptions) =>
      control("inspect", { what }, options, ({ data }) => snapshotText(data as StateSnapshot)),
    );
}

function inject(): Command {
  return withControl(new Command("inject"))
    .description("add a message to an agent's conversation")
    .addArgument(new Argument("<role>", "who says it").choices(["user", "assistant"]))
    .argument("<content>", "what is said")
    .addHelpText("after", examples('debug-bridge inject user "Look at the coupon first."'))
    .action((role: string, content: string, options: ControlOptions) =>
      control("inject_message", { role, content }, options),
    );
}

function set(): Command {
  return withControl(new Command("set"))
    .description("set a variable of an agent, or the input of the tool call that is held")
    .argument("<key>", "name of the variable; input or input.NAME for the held call")
    .argument("<value>", "JSON, or text")
    .addHelpText(
      "after",
      examples("debug-bridge set maxIterations 20", "debug-bridge set input.path notes.txt"),
    )
    .action((key: string, value: string, options: ControlOptions) =>
      control("set_variable", { key, value: jsonOrText(value) }, options),
    );
}

function cancel(): Command {
  return withControl(new Command("cancel"))
    .description("cancel a tool call that is held or runs")
    .argument("<tool-id>", "id of the call, as watch shows it")
    .addHelpText("after", examples("debug-bridge cancel call_3"))
    .action((toolId: string, options: ControlOptions) => control("cancel_tool", { toolId }, options));
}

function checkpoint(): Command {
  return withControl(new Command("checkpoint"))
    .description("remember an agent's state, to go back to it")
    .argument("[label]", "a name for it")
    .addHelpText("after", examples('debug-bridge checkpoint "before the edit"'))
    .action((label: string | undefined, options: ControlOptions) =>
      control("checkpoint", label === undefined ? {} : { label }, options, ({ data }) =>
        String((data as { checkpoint?: string } | undefined)?.checkpoint ?? ""),
      ),
    );
}

function rewind(): Command {
  return withControl(new Command("rewind"))
    .description("take an agent back to a checkpoint")
    .argument("<checkpoint>", "its id or label")
    .addHelpText("after", examples("debug-bridge rewind cp-1"))
    .action((name: string, options: ControlOptions) => control("rewind", { checkpoint: name }, options));
}

function branch(): Command {
  return withControl(new Command("branch"))
    .description("start another run from a checkpoint, beside the first; it is paused")
    .argument("<checkpoint>", "its id or label")
    .addHelpText("after", examples("debug-bridge branch cp-1", "debug-bridge diff ab12 cd34"))
    .action((name: string, options: ControlOptions) =>
      control("branch", { checkpoint: name }, options, ({ data }) =>
        String((data as { session?: string } | undefined)?.session ?? ""),
      ),
    );
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
