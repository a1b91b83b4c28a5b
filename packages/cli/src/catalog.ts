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

/** The verbs of `debug-bridge record`. */
const RECORD_COMMANDS: Catalog = {
  start: one(async () => (await import("./commands/record/sessions.js")).startCommand()),
  stop: one(async () => (await import("./commands/record/sessions.js")).stopCommand()),
  list: one(async () => (await import("./commands/record/sessions.js")).listCommand()),
  export: one(async () => (await import("./commands/record/export.js")).exportCommand()),
  reproduce: one(async () => (await import("./commands/record/reproduce.js")).reproduceCommand()),
  verify: one(async () => (await import("./commands/record/reproduce.js")).verifyCommand()),
};

interface Listed {
  readonly summary: string;
  readonly load: Load;
}

/** The commands, in the order of the help. The hub and the validators load slowly, so only what is called is loaded. */
const COMMANDS: Readonly<Record<string, Listed>> = {
  up: {
    summary: "start the hub and keep it running",
    load: one(async () => (await import("./commands/up.js")).upCommand()),
  },
  open: {
    summary: "open the dashboard in the browser",
    load: one(async () => (await import("./commands/open.js")).openCommand()),
  },
  init: {
    summary: "add the tools to your agents, and the SDK to your app",
    load: one(async () => (await import("./commands/setup/init.js")).initCommand()),
  },
  doctor: {
    summary: "check the installation and suggest fixes",
    load: one(async () => (await import("./commands/setup/doctor.js")).doctorCommand()),
  },
  extension: {
    summary: "write the Chrome extension and show how to load it",
    load: one(async () => (await import("./commands/setup/extension.js")).extensionCommand()),
  },
  token: {
    summary: "replace the hub's token",
    load: one(async () => (await import("./commands/setup/token.js")).tokenCommand()),
  },
  completion: {
    summary: "print a completion script for a shell",
    load: one(async () => (await import("./commands/setup/completion.js")).completionCommand(loadAll)),
  },
  mcp: {
    summary: "serve the tools over MCP, on a running hub or its own",
    load: one(async () => (await import("./commands/mcp.js")).mcpCommand()),
  },
  sessions: {
    summary: "list apps, tabs, browsers and agents",
    load: one(async () => (await import("./commands/sessions.js")).sessionsCommand()),
  },
  observe: {
    summary: "show the content of a page, with a ref for each element",
    load: tools,
  },
  find: {
    summary: "find elements of a page, with their refs and context",
    load: tools,
  },
  act: {
    summary: "click, type, scroll or navigate in a page",
    load: tools,
  },
  logs: {
    summary: "show console lines, errors, requests and navigations",
    load: tools,
  },
  why: {
    summary: "show what caused an error, a request or a change",
    load: tools,
  },
  eval: {
    summary: "run JavaScript in a page and print its value",
    load: tools,
  },
  screenshot: {
    summary: "take a screenshot of a page",
    load: tools,
  },
  pick: {
    summary: "pick an element in a page for agents to use",
    load: one(async () => (await import("./commands/pick.js")).pickCommand()),
  },
  console: {
    summary: "show the browser console in the terminal",
    load: one(async () => (await import("./commands/console.js")).consoleCommand()),
  },
  browser: {
    summary: "run browser_action instructions in a launched Chrome",
    load: one(async () => (await import("./commands/browser.js")).browserCommand()),
  },
  browsers: {
    summary: "start, list and stop browsers of all hubs, by label",
    load: one(async () => (await import("./commands/browsers.js")).browsersCommand()),
  },
  record: {
    summary: "record what is done in a page, and reproduce errors",
    load: one(() => recordCommand()),
  },
  share: {
    summary: "save a session or recording as one HTML file",
    load: one(async () => (await import("./commands/share.js")).shareCommand()),
  },
  chat: {
    summary: "talk to an agent about what is connected to the hub",
    load: one(async () => (await import("./commands/chat.js")).chatCommand()),
  },
  agent: {
    summary: "run, watch and debug agents",
    load: one(() => agentCommand()),
  },
  hook: {
    summary: "debug Claude Code, Codex and other agents with hooks",
    load: one(async () => (await import("./commands/setup/hook.js")).hookCommand()),
  },
  prune: {
    summary: "remove the oldest recorded sessions",
    load: one(async () => (await import("./commands/setup/prune.js")).pruneCommand()),
  },
};

/** The commands that a command line needs: the one that it names, or what the help shows of all. */
export async function loadCommands([name = "", verb = ""]: readonly string[]): Promise<Command[]> {
  if (name === "-V" || name === "--version") return [];
  if (name === "agent") return [described("agent", await agentCommand(verb))];
  if (name === "record") return [described("record", await recordCommand(verb))];
  if (!Object.hasOwn(COMMANDS, name)) return Object.keys(COMMANDS).map((each) => described(each));
  return loadListed(name);
}

/** Every command, for completion. */
export async function loadAll(): Promise<Command[]> {
  return (await Promise.all(Object.keys(COMMANDS).map(loadListed))).flat();
}

async function loadListed(name: string): Promise<Command[]> {
  const commands = (await COMMANDS[name]?.load()) ?? [];
  // Some files define several commands.
  return commands.filter((command) => command.name() === name).map((command) => described(name, command));
}

function described(name: string, command = new Command(name)): Command {
  return command.description(COMMANDS[name]?.summary ?? "");
}

async function agentCommand(verb = ""): Promise<Command> {
  const command = new Command("agent");
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

async function recordCommand(verb = ""): Promise<Command> {
  const command = new Command("record");
  for (const each of await load(RECORD_COMMANDS, verb)) command.addCommand(each);
  const { addDetails } = await import("./terminal/help.js");
  return addDetails(command, {
    examples: [
      "debug-bridge record start --reload",
      "debug-bridge record stop",
      "debug-bridge record reproduce",
      "debug-bridge record verify reproductions/debug_20260123_131000_ab12",
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
