import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { withJson } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine } from "../terminal/output.js";

const LOAD_STEPS = `
To load it in Chrome:
  1. Open chrome://extensions
  2. Turn on "Developer mode" (top right)
  3. Choose "Load unpacked" and pick the folder above
It captures the console of pages on this machine. Click its icon to add other
sites. Then run: debug-bridge console`;

export function extensionCommand(): Command {
  const command = withJson(new Command("extension"))
    .description("show where the Chrome extension is and how to load it")
    .option("--path", "print only the folder")
    .action(async (options: { path?: boolean; json?: boolean }) => {
      const folder = extensionFolder();
      if (options.json) await printJson({ path: folder });
      else printLine(options.path ? folder : `${folder}\n${LOAD_STEPS}`);
    });
  return addDetails(command, { examples: ["debug-bridge extension", "debug-bridge extension --path"] });
}

/** The folder that Chrome loads. */
function extensionFolder(): string {
  const manifest = fileURLToPath(import.meta.resolve("@debug-bridge/extension/unpacked/manifest.json"));
  if (existsSync(manifest)) return dirname(manifest);
  throw new BridgeError(
    "not_supported",
    `the extension is not built: ${manifest} does not exist; run npm run build`,
  );
}
