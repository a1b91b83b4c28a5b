import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tools } from "@debug-bridge/mcp";
import { BridgeError } from "@debug-bridge/protocol";
import { homeFolder, readToken } from "@debug-bridge/server";
import { Command } from "commander";
import { bridgeTo } from "../bridge.js";
import { runningHub } from "../running-hub.js";

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
Examples:
  debug-bridge act local-dev type=click target='{"text":"Save"}'
  debug-bridge act local-dev type=type target='{"ref":"e12"}' text='Ada' submit=true
  debug-bridge act local-dev type=navigate url=/cart`,
  logs: `
Examples:
  debug-bridge logs local-dev
  debug-bridge logs local-dev errors=true since=120`,
  eval: `
Examples:
  debug-bridge eval local-dev code='document.title'`,
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
          const named = first?.includes("=")
            ? { fields: [first, ...rest] }
            : { session: first, fields: rest };
          await callTool(tool, named, options);
        });
      if (tool.name === "screenshot") command.requiredOption("--out <file>", "where to write the picture");
      return command;
    });
}

async function callTool(
  tool: (typeof tools)[number],
  { session, fields }: { session?: string | undefined; fields: string[] },
  options: ToolOptions,
): Promise<void> {
  const input = tool.input.safeParse({ ...(session ? { session } : {}), ...readFields(fields) });
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

/** `key=value` as an object; what reads as JSON is taken as such, everything else as text. */
function readFields(fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf("=");
      if (at < 1) throw new BridgeError("invalid_message", `"${field}" is not NAME=VALUE`);
      return [field.slice(0, at), readValue(field.slice(at + 1))];
    }),
  );
}

function readValue(text: string): unknown {
  if (!/^(?:[[{]|-?\d+(?:\.\d+)?$|true$|false$)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
