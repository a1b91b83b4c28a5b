import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";

const HOW_TO_LOAD = `
To load it in Chrome:
  1. open chrome://extensions
  2. turn on "Developer mode" (top right)
  3. choose "Load unpacked" and pick the folder above
It captures the console of pages on this machine; click its icon to add other sites. Then run: debug-bridge console
`;

export function extensionCommand(): Command {
  return new Command("extension")
    .description("tell where the built Chrome extension is, and how to load it")
    .option("--path", "print only the folder")
    .action((options: { path?: boolean }) => {
      const folder = extensionFolder();
      process.stdout.write(options.path ? `${folder}\n` : `${folder}\n${HOW_TO_LOAD}`);
    });
}

/** The folder that Chrome loads. */
function extensionFolder(): string {
  const manifest = fileURLToPath(import.meta.resolve("@debug-bridge/extension/unpacked/manifest.json"));
  if (existsSync(manifest)) return dirname(manifest);
  throw new BridgeError(
    "not_supported",
    `the extension was not built: there is no ${manifest}; run npm run build`,
  );
}
