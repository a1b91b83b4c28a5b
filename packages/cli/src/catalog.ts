import { Command } from "commander";

type Load = () => Promise<Command[]>;
type Catalog = Readonly<Record<string, Load>>;

const one = (load: () => Promise<Command>): Load => {
  return async () => [await load()];
};

const tools: Load = async () => (await import("./commands/tools.js")).toolCommands();
const control: Load = async () => (await import("./commands/agent/control.js")).controlCommands();

/** The verbs of `debug-bridge agent`. */
const AGENT_COMMANDS: Catalog = {
  run: one(async () => (await import("./commands/agent/run.js")).runCommand()),
  watch: one(async () => (await import("./commands/agent/watch.js")).watchCommand()),
  attach: one(async () => (await import("./commands/agent/attach.js")).attachCommand()),
  pause: control,
  resume: control,
  step: control,
  inspect: control,
  inject: control,
  set: control,
  cancel: control,
  breakpoint: one(async () => (await import("./commands/agent/breakpoint.js")).breakpointCommand()),
  checkpoint: control,
  rewind: control,
  branch: control,
  diff: one(async () => (await import("./commands/agent/diff.js")).diffCommand()),
  replay: one(async () => (await import("./commands/agent/replay.js")).replayCommand()),
  export: one(async () => (await import("./commands/agent/export.js")).exportCommand()),
};

/** The commands, in the order of the help. The hub and the validators load slowly, so only what is called is loaded. */
const COMMANDS: Catalog = {
  up: one(async () => (await import("./commands/up.js")).upCommand()),
  open: one(async () => (await import("./commands/open.js")).openCommand()),
  doctor: one(async () => (await import("./commands/doctor.js")).doctorCommand()),
  extension: one(async () => (await import("./commands/extension.js")).extensionCommand()),
  token: one(async () => (await import("./commands/token.js")).tokenCommand()),
  completion: one(async () => (await import("./commands/completion.js")).completionCommand(loadAll)),
  mcp: one(async () => (await import("./commands/mcp.js")).mcpCommand()),
  sessions: one(async () => (await import("./commands/sessions.js")).sessionsCommand()),
  observe: tools,
  find: tools,
  act: tools,
  logs: tools,
  eval: tools,
  screenshot: tools,
  console: one(async () => (await import("./commands/console.js")).consoleCommand()),
  browser: one(async () => (await import("./commands/browser.js")).browserCommand()),
  chat: one(async () => (await import("./commands/chat.js")).chatCommand()),
  agent: one(() => agentCommand()),
  hook: one(async () => (await import("./commands/hook.js")).hookCommand()),
  prune: one(async () => (await import("./commands/prune.js")).pruneCommand()),
};

/** The commands that a command line needs: the one that it names, or all. */
export async function loadCommands([name = "", verb = ""]: readonly string[]): Promise<Command[]> {
  if (name === "-V" || name === "--version") return [];
  if (name === "agent") return [await agentCommand(verb)];
  return load(COMMANDS, name);
}

/** Every command, for help and completion. */
export function loadAll(): Promise<Command[]> {
  return load(COMMANDS, "");
}

async function agentCommand(verb = ""): Promise<Command> {
  const command = new Command("agent").description("run, watch and debug agents");
  for (const each of await load(AGENT_COMMANDS, verb)) command.addCommand(each);
  const { addDetails } = await import("./terminal/help.js");
  return addDetails(command, {
    notes:
      "SESSION may be left out: then it is the only agent that runs, or the one that started last. An id can be shortened to its end.",
    examples: [
      'debug-bridge agent run "find out why the checkout fails"',
      "debug-bridge agent watch",
      "debug-bridge agent breakpoint add tool run_command",
      "debug-bridge agent resume",
    ],
  });
}

/** One command, or in their order all of them if the name is none of theirs. */
async function load(catalog: Catalog, name: string): Promise<Command[]> {
  const single = Object.hasOwn(catalog, name) ? catalog[name] : undefined;
  const loads = single ? [single] : [...new Set(Object.values(catalog))];
  const commands = (await Promise.all(loads.map((each) => each()))).flat();
  const order = Object.keys(catalog);
  return commands.sort((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()));
}
