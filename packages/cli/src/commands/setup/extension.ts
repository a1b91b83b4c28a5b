import { homeFolder } from "@debug-bridge/client";
import { Command, Option } from "commander";
import { extensionFolder, type Share, writeExtension } from "../../extension/folder.js";
import { type CommonOptions, withCommon } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";
import { UsageError } from "../../usage-error.js";

interface ExtensionOptions extends CommonOptions {
  readonly path?: boolean;
  readonly share?: Share;
  readonly pair?: boolean;
}

const LOAD_STEPS = `
To load it in Chrome:
  1. Open chrome://extensions
  2. Turn on "Developer mode" (top right)
  3. Choose "Load unpacked" and pick the folder above
If it is loaded already, click its reload icon there.
It is paired with the hubs of this home, so nothing else is to be done. It
captures the console of pages on this machine. Click its icon to add other
sites and to share tabs with agents. Then run: debug-bridge console`;

export function extensionCommand(): Command {
  const command = withCommon(new Command("extension"))
    .option("--path", "print only the folder")
    .addOption(
      new Option("--share <which>", "tabs that agents may use until you choose others").choices([
        "chosen",
        "all",
      ]),
    )
    .option("--pair", "pair a copy that was installed another way, by a code")
    .action(extension);
  return addDetails(command, {
    notes:
      "The folder contains the pairing key of the home: it is readable by you only, and must not be shared. --pair needs a running hub.",
    examples: [
      "debug-bridge extension",
      "debug-bridge extension --path",
      "debug-bridge extension --share all",
      "debug-bridge extension --pair",
    ],
  });
}

async function extension(options: ExtensionOptions): Promise<void> {
  if (options.pair) {
    const { pairByCode } = await import("../../extension/pair.js");
    return pairByCode(options);
  }
  if (options.hub !== undefined) throw new UsageError("--hub names the hub to pair with; add --pair");
  const home = homeFolder(options.home);
  const { hub, share } = writeExtension(home, options.share);
  const path = extensionFolder(home);
  if (options.json) await printJson({ path, hub, share });
  else printLine(options.path ? path : `${path}\n${LOAD_STEPS}`);
}
