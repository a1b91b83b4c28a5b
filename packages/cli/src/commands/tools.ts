import { writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { HubClient, homeFolder } from "@debug-bridge/client";
import { shellTools, type Tool, type ToolImage } from "@debug-bridge/mcp";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { createBridge } from "../bridge.js";
import { findSessionHub } from "../hub/session-hub.js";
import { type CommonOptions, withCommon } from "../options.js";
import { addDetails, wrap } from "../terminal/help.js";
import { printJson, printLine, printMessage } from "../terminal/output.js";
import { readArguments } from "../tool-arguments.js";
import { UsageError } from "../usage-error.js";

interface ToolOptions extends CommonOptions {
  readonly out?: string;
}

interface ToolHelp {
  readonly usage: string;
  readonly notes?: string;
  readonly examples: readonly string[];
}

/** The MCP tools that are useful in a shell. Names, fields and behaviour come from their one definition. */
const HELP: Readonly<Record<string, ToolHelp>> = {
  observe: {
    usage: "[SESSION] [FIELD=VALUE...]",
    examples: [
      "debug-bridge observe",
      "debug-bridge observe local-dev maxTokens=500",
      `debug-bridge observe local-dev target='{"selector":"main"}'`,
    ],
  },
  find: {
    usage: "[SESSION] TEXT [FIELD=VALUE...]",
    notes:
      "One word is the text; with source= it is the session. To search without a text in a session of your choice, name it with session=ID.",
    examples: [
      "debug-bridge find 'Order 733'",
      "debug-bridge find local-dev Delete role=button",
      "debug-bridge find session=local-dev pattern='^Total: [0-9]+'",
    ],
  },
  act: {
    usage: "[SESSION] ACTION [FIELD=VALUE...]",
    notes:
      "Actions: click TARGET, hover TARGET, type TARGET TEXT, press KEY, select TARGET VALUE, scroll top|bottom, drag SOURCE TARGET, navigate URL, wait_for TEXT, dialog accept|dismiss [TEXT], set_files TARGET FILE, call_tool NAME INPUT. A target is a ref (e12), a CSS selector (#id, .class, [attribute]), a text, or JSON. Instead of one action, actions=JSON takes a list; it ends at the first failure. Screenshots of an edit go to the file of --out; of two, -before and -after are added to its name.",
    examples: [
      "debug-bridge act local-dev click Save",
      "debug-bridge act local-dev type e12 'Ada' submit=true",
      'debug-bridge act local-dev click target=\'{"role":"button","name":"Save"}\'',
      "debug-bridge act local-dev navigate /cart",
      "debug-bridge act local-dev wait_for edit=true screenshots=both --out edit.jpg",
      `debug-bridge act actions='[{"type":"press","key":"Tab"}, ...]'`,
    ],
  },
  logs: {
    usage: "[SESSION] [FIELD=VALUE...]",
    examples: ["debug-bridge logs local-dev", "debug-bridge logs local-dev errors=true since=120"],
  },
  why: {
    usage: "[SESSION] [RECORD] [FIELD=VALUE...]",
    notes:
      "RECORD is a number that debug-bridge logs shows; without it, the newest failure is explained. Chains of causes are kept for some minutes after the first question, and while a session is recorded.",
    examples: [
      "debug-bridge why",
      "debug-bridge why local-dev 120",
      "debug-bridge why recording=local-dev_2026-01-31 record=120",
    ],
  },
  eval: {
    usage: "[SESSION] CODE [FIELD=VALUE...]",
    examples: ["debug-bridge eval local-dev 'document.title'"],
  },
  screenshot: {
    usage: "[SESSION] --out FILE [FIELD=VALUE...]",
    examples: [
      "debug-bridge screenshot tab-12 --out page.jpg",
      "debug-bridge screenshot tab-12 labels=true --out page.jpg",
    ],
  },
};

export function toolCommands(): Command[] {
  return shellTools.flatMap((tool) => {
    const help = Object.hasOwn(HELP, tool.name) ? HELP[tool.name] : undefined;
    return help ? [toolCommand(tool, help)] : [];
  });
}

function toolCommand(tool: Tool, help: ToolHelp): Command {
  const command = withCommon(new Command(tool.name))
    .usage(`${help.usage} [options]`)
    .argument("[words...]", "the session, then the fields below; objects and lists as JSON")
    .addHelpText("after", () => fieldHelp(tool))
    .action((words: string[], options: ToolOptions) => callTool(tool, words, options));
  if (tool.name === "screenshot") command.requiredOption("--out <file>", "the file to write");
  if (tool.name === "act") command.option("--out <file>", "the file to write");
  const session =
    "SESSION may be left out: then it is the only session that is connected, else the tab in front, else the session used last.";
  return addDetails(command, {
    notes: help.notes === undefined ? session : `${help.notes}\n\n${session}`,
    examples: help.examples,
  });
}

/** Writes one picture to a file, or the two of an edit beside it. Returns their names. */
function writeImages(images: readonly ToolImage[], out: string | undefined): string[] {
  if (out === undefined) return [];
  const { dir, name, ext } = parse(out);
  return images.map(({ data }, i) => {
    const file = images.length === 1 ? out : join(dir, `${name}-${["before", "after"][i] ?? i + 1}${ext}`);
    writeFileSync(file, Buffer.from(data, "base64"));
    return file;
  });
}

const withFiles = (data: unknown, files: readonly string[]): unknown =>
  files.length > 0 ? { ...Object(data), files } : data;

const FIELD_WIDTH = 18;

function fieldHelp(tool: Tool): string {
  const lines = Object.entries(tool.input.shape)
    .filter(([name]) => name !== "session")
    .map(([name, field]) => {
      const { description = "" } = field as { description?: string };
      const text = wrap(`${" ".repeat(FIELD_WIDTH)}${description}`);
      return `  ${name.padEnd(FIELD_WIDTH - 2)}${text.slice(FIELD_WIDTH)}`.trimEnd();
    });
  return `\nFields:\n${lines.join("\n")}`;
}

/** Names a field that is missing or wrong, with its value. */
function wrongField(
  tool: Tool,
  given: Record<string, unknown>,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): UsageError {
  const [name] = issue?.path ?? [];
  const help = `see debug-bridge ${tool.name} --help`;
  if (typeof name !== "string") return new UsageError(`${issue?.message ?? "the fields are wrong"}; ${help}`);
  if (given[name] === undefined) return new UsageError(`${tool.name} needs ${name.toUpperCase()}; ${help}`);
  const value = JSON.stringify(given[name]);
  if (tool.name === "why" && name === "record")
    return new UsageError(`${value} is not the number of a record; debug-bridge logs shows them`);
  return new UsageError(`${name} cannot be ${value.slice(0, 100)}: ${issue?.message}; ${help}`);
}

async function callTool(tool: Tool, words: readonly string[], options: ToolOptions): Promise<void> {
  const given = readArguments(tool, words);
  const input = tool.input.safeParse(given);
  if (!input.success) throw wrongField(tool, given, input.error.issues[0]);
  try {
    tool.check?.(input.data as never);
  } catch (thrown) {
    throw new UsageError(`${BridgeError.from(thrown).message}; see debug-bridge ${tool.name} --help`);
  }
  const chosen = input.data as { session?: string; screenshots?: string };
  if (chosen.screenshots !== undefined && options.out === undefined)
    throw new UsageError("screenshots need a file; add --out FILE");
  const { hub: found, session } = await findSessionHub(options, chosen.session);
  const hub = new HubClient({ hub: async () => found, name: "cli" });
  const bridge = createBridge({ hub, home: homeFolder(options.home), name: "cli" });
  try {
    const call = session === undefined ? chosen : { ...chosen, session };
    const { text, images = [], data, isError } = await tool.run(call as never, bridge);
    const files = writeImages(images, options.out);
    if (options.json)
      await printJson(
        tool.name === "screenshot" ? { file: files[0], ...Object(data) } : withFiles(data ?? { text }, files),
      );
    else for (const line of tool.name === "screenshot" ? files : [text, ...files]) printLine(line);
    const { note } = Object(data) as { note?: string };
    if (tool.name === "screenshot" && note !== undefined && !options.json) printMessage(note);
    if (isError) process.exitCode = 1;
  } finally {
    await bridge.close();
  }
}
