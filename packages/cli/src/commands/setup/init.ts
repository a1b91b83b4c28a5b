import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { announcedHubs, homeFolder, requestedHub } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import { Command, Option } from "commander";
import { type AppPlan, planApp, planAppRemoval, viteHasPlugin } from "../../init/app-change.js";
import { countTools } from "../../init/check-server.js";
import { CLIENT_NAMES, CLIENTS, installedClients, type McpClient } from "../../init/clients.js";
import { changedLines, type FileChange, readText, writeChange } from "../../init/file-change.js";
import { type ServerProgram, serverProgram } from "../../init/server-entry.js";
import { type CommonOptions, withCommon } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";

interface InitOptions extends CommonOptions {
  readonly client?: string[];
  readonly app: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

/** One file of the plan, and what happens to it. */
interface Step {
  readonly what: string;
  readonly change?: FileChange;
  /** Why there is no change. */
  readonly problem?: string;
}

const DEFAULT_HUB = "http://127.0.0.1:4000";

export function initCommand(): Command {
  const command = withCommon(new Command("init"))
    .addOption(
      new Option("--client <name...>", "clients to set up (default: those that are installed)").choices(
        CLIENT_NAMES,
      ),
    )
    .option("--no-app", "leave the app in this folder alone")
    .option("--remove", "remove what init added")
    .option("-y, --yes", "write without asking")
    .action(init);
  return addDetails(command, {
    notes: `Adds the MCP server to the settings of your agents, and the SDK to the app in this folder: its Vite plugin where @debug-bridge/browser is installed, else the script tag. It shows every change first, and then asks. Without a terminal and without --yes it writes nothing. Clients: ${CLIENT_NAMES.join(", ")}.`,
    examples: [
      "debug-bridge init",
      "debug-bridge init --client codex --no-app --yes",
      "debug-bridge init --remove",
    ],
  });
}

async function init(options: InitOptions): Promise<void> {
  const program = serverProgram(passedOn(options));
  const plan = options.app ? appPlan(options) : undefined;
  const steps = [...clientSteps(options, program), ...(plan ? [appStep(plan)] : [])];
  const changes = steps.filter(({ change }) => change && change.after !== change.before);
  if (!options.json) show(steps, options);
  const isAgreed = changes.length > 0 && (options.yes || (await askPerson(options)));
  if (isAgreed) for (const { change } of changes) writeChange(change as FileChange);
  const isWired = isAgreed && plan?.how === "plugin" && !options.remove ? await keepIfWorking(plan) : true;
  // What is set up is started once, whether or not it was there before.
  const isSetUp = !options.remove && (isAgreed || changes.length === 0) && steps.some(({ change }) => change);
  const tools = isSetUp ? await countTools(program) : undefined;
  await report(steps, { isAgreed, tools, isPending: changes.length > 0 && !isAgreed, options });
  if (!isWired || steps.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

/** The server gets the home and the hub that were asked for. */
function passedOn({ home, hub }: InitOptions): string[] {
  return [...(home ? ["--home", resolve(home)] : []), ...(hub ? ["--hub", hub] : [])];
}

function clientSteps({ client = installedClients(), remove }: InitOptions, program: ServerProgram): Step[] {
  return client.map((name) => {
    const { title, file: fileOf, add, remove: without } = CLIENTS[name] as McpClient;
    const file = fileOf();
    try {
      const before = readText(file);
      return {
        what: title,
        change: { file, before, after: remove ? without(before) : add(before, program) },
      };
    } catch (thrown) {
      const why = BridgeError.from(thrown).message;
      return { what: title, problem: `${file} was not changed: ${why}` };
    }
  });
}

function appPlan({ remove, home, ...options }: InitOptions): AppPlan | undefined {
  const folder = process.cwd();
  if (remove) return planAppRemoval(folder);
  const hub = requestedHub(options) ?? announcedHubs(homeFolder(home))[0]?.url ?? DEFAULT_HUB;
  return planApp(folder, hub);
}

function appStep(plan: AppPlan): Step {
  if (plan.how === "by hand") return { what: "app", problem: plan.advice };
  return { what: plan.how === "plugin" ? "Vite plugin" : "script tag", change: plan.change };
}

/** A configuration in which Vite does not find the plugin is restored. */
async function keepIfWorking({ change }: Extract<AppPlan, { how: "plugin" | "script" }>): Promise<boolean> {
  if (change.after === change.before || (await viteHasPlugin(process.cwd()))) return true;
  writeChange({ file: change.file, before: change.after, after: change.before });
  printMessage(
    `${paint("red", "error")}: Vite does not find the plugin in ${change.file}, which is as it was; add debugBridge() of @debug-bridge/browser/vite to its plugins by hand`,
  );
  return false;
}

function show(steps: readonly Step[], { remove }: InitOptions): void {
  if (steps.length === 0)
    printLine(`No client found; name one with --client (${CLIENT_NAMES.join(", ")}) to create its settings.`);
  for (const { what, change, problem } of steps) {
    if (problem !== undefined) printLine(`${paint("yellow", "!")} ${paint("bold", what)} ${problem}`);
    if (!change) continue;
    const isSame = change.after === change.before;
    const state = isSame ? (remove ? " (nothing to remove)" : " (already set up)") : "";
    printLine(`${paint("green", isSame ? "✓" : "·")} ${paint("bold", what)} ${change.file}${state}`);
    for (const line of changedLines(change))
      printLine(`    ${paint(line.startsWith("+") ? "green" : "red", line)}`);
  }
}

async function askPerson({ json }: InitOptions): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question("Write these changes? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

interface Result {
  readonly isAgreed: boolean;
  readonly isPending: boolean;
  readonly tools: number | undefined;
  readonly options: InitOptions;
}

async function report(steps: readonly Step[], result: Result): Promise<void> {
  const { isAgreed, isPending, tools, options } = result;
  if (options.json) {
    const files = steps.map(({ what, change, problem }) => ({
      ...{ what, file: change?.file, problem },
      changed: change ? change.after !== change.before : false,
    }));
    await printJson({ files, written: isAgreed, tools });
    return;
  }
  if (isPending) printLine("Nothing was written. To write the changes, run it again with --yes.");
  if (isAgreed) printLine(options.remove ? "Removed." : "Written.");
  if (tools !== undefined)
    printLine(
      `${paint("green", "✓")} started the server as a client does: it lists ${tools} tools. Restart the agent to use them.`,
    );
}
