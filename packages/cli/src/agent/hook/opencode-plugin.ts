import { existsSync, readFileSync } from "node:fs";
import { BridgeError } from "@debug-bridge/protocol";
import { fileInBin } from "../../this-program.js";

const FIRST_LINE =
  "// Written by debug-bridge hook install opencode. debug-bridge hook uninstall opencode removes it.";
const COMMANDS = /^export const DebugBridge = debugBridge\((\{.*\})\);$/ms;

/** The plugin that opencode loads: our hooks, by the commands that answer them. */
export function pluginText(commands: Readonly<Record<string, string>>): string {
  return `${FIRST_LINE}
import { debugBridge } from ${JSON.stringify(fileInBin("opencode-plugin.js"))};

export const DebugBridge = debugBridge(${JSON.stringify(commands, null, 2)});
`;
}

/** The commands in our plugin, by hook; none when there is no such file. A file of somebody else is refused. */
export function readPlugin(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, "utf8");
  const [, commands] = COMMANDS.exec(text) ?? [];
  if (!text.startsWith(FIRST_LINE) || commands === undefined)
    throw new BridgeError("invalid_message", `${file} is not a file of Debug Bridge and was not changed`);
  return JSON.parse(commands) as Record<string, string>;
}
