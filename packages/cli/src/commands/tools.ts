import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Tool, tools } from "@debug-bridge/mcp";
import { BridgeError } from "@debug-bridge/protocol";
import { homeFolder, readToken } from "@debug-bridge/server";
import { Command } from "commander";
import { bridgeTo } from "../bridge.js";
import { runningHub } from "../running-hub.js";
import { readArguments } from "../tool-arguments.js";

interface ToolOptions {
  readonly hub?: string;
  readonly home?: string;
  readonly json?: boolean;
  readonly out?: string;
}

const EXAMPLES: Record<string, string> = {
  observe: `
Examples:
  debug-bridge observe
  debug-bridge observe local-dev maxTokens=500
  debug-bridge observe local-dev target='{"role":"main"}'`,
  act: `
After the kind come what it is done to and with: click TARGET, hover TARGET, type TARGET TEXT, press KEY, select TARGET
VALUE, scroll top|bottom, drag SOURCE TARGET, navigate URL, wait_for TEXT, call_tool NAME INPUT. A target is a ref (e12),
a CSS selector (#id, .class, [attribute]), a text, or JSON.

Examples:
  debug-bridge act local-dev click Save
  debug-bridge act local-dev type e12 'Ada' submit=true
  debug-bridge act local-dev click target='{"role":"button","name":"Save"}'
  debug-bridge act local-dev navigate /cart`,
  logs: `
Examples:
  debug-bridge logs local-dev
  debug-bridge logs local-dev errors=true since=120`,
  eval: `
Examples:
  debug-bridge eval local-dev 'document.title'`,
  screenshot: `
Examples:
  debug-bridge screenshot tab-12 --out page.jpg
  debug-bridge screenshot tab-12 labels=true --out page.jpg`,
};

/** The MCP tools that are of use in a shell, from their one definition. */
export function toolCommands(): Command[] {
  return tools
    .filter(({ name }) => Object.hasOwn(EXAMPLES, name))
    .map((tool) => {
      const fields = Object.entries(tool.input.shape)
        .filter(([name]) => name !== "session")
        .map(([name, field]) =>
          `  ${name.padEnd(12)}${(field as { description?: string }).description ?? ""}`.trimEnd(),
        );
      const command = new Command(tool.name)
        .description(tool.description.split("\n")[0] as string)
        .argument("[session]", "id of the session; may be left out while only one is connected")
        .argument("[fields...]", "NAME=VALUE; objects and lists as JSON")
        .option("--json", "print the answer as JSON")
        .option("--hub <url>", "address of the hub (default: the usual one)")
        .option("--home <dir>", "where state is kept")
        .addHelpText("after", `\nFields:\n${fields.join("\n")}\n${EXAMPLES[tool.name]}`)
        .action(async (first: string | undefined, rest: string[], options: ToolOptions) => {
          await callTool(tool, first === undefined ? rest : [first, ...rest], options);
        });
      if (tool.name === "screenshot") command.requiredOption("--out <file>", "where to write the picture");
      return command;
    });
}

async function callTool(tool: Tool, words: readonly string[], options: ToolOptions): Promise<void> {
  const input = tool.input.safeParse(readArguments(tool, words));
  if (!input.success) {
    const [issue] = input.error.issues;
    throw new BridgeError(
      "invalid_message",
      `${issue?.path.join(".") || "the fields"}: ${issue?.message}; see debug-bridge ${tool.name} --help`,
    );
  }
  const home = homeFolder(options.home);
  const { url } = runningHub(options);
  const bridge = bridgeTo({ url, token: readToken(join(home, "token")), home, name: "cli" });
  try {
    const { text, images = [], data, isError } = await tool.run(input.data as never, bridge);
    const [image] = images;
    if (image && options.out) writeFileSync(options.out, Buffer.from(image.data, "base64"));
    process.stdout.write(`${options.json ? JSON.stringify(data ?? { text }) : image ? options.out : text}\n`);
    if (isError) process.exitCode = 1;
  } finally {
    await bridge.close();
  }
}
