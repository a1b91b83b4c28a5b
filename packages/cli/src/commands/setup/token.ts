import { announcedHubs, checkHub, homeFolder, replacePairingKey, replaceToken } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { refreshExtension } from "../../extension/folder.js";
import { withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";

interface RotateOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly pairing?: boolean;
}

const HUB_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 50;

export function tokenCommand(): Command {
  const rotate = withJson(withHome(new Command("rotate")))
    .description("replace the token; the old one stops working at once")
    .option("--pairing", "replace the extension's pairing key too")
    .action(rotateToken);
  addDetails(rotate, {
    notes:
      "Running hubs of the home disconnect every client that used the old token: agents, CDP clients, the dashboard. Debug Bridge clients reconnect automatically. With --pairing they disconnect the extension too, and its copy in the home gets the new key; a copy that was paired by a code has to be paired again.",
    examples: ["debug-bridge token rotate", "debug-bridge token rotate --pairing"],
  });
  const command = new Command("token").addCommand(rotate);
  return addDetails(command, { examples: ["debug-bridge token rotate"] });
}

async function rotateToken(options: RotateOptions): Promise<void> {
  const home = homeFolder(options.home);
  const token = replaceToken(home);
  if (options.pairing) {
    replacePairingKey(home);
    refreshExtension(home);
  }
  const hubs = announcedHubs(home);
  const answers = await Promise.all(hubs.map(({ url }) => usesToken(url, token)));
  const late = hubs.filter((_hub, index) => !answers[index]);
  if (options.json) await printJson({ rotated: true, hubs: hubs.length, late: late.map(({ url }) => url) });
  if (late.length > 0)
    throw new BridgeError(
      "timeout",
      `the token in ${home} is new, but these hubs still use the old one: ${late.map(({ url, pid }) => `${url} (process ${pid})`).join(", ")}; stop them and start them again`,
    );
  if (options.json) return;
  const what = options.pairing ? "token and the pairing key" : "token";
  const where =
    hubs.length === 0 ? "no hub is running" : `in use by ${hubs.map(({ url }) => url).join(", ")}`;
  printLine(`The ${what} of ${home} ${options.pairing ? "are" : "is"} new; ${where}.`);
}

/** Waits until a hub proves that it knows the new token. From then on it refuses the old one. */
async function usesToken(url: string, token: string): Promise<boolean> {
  const deadline = Date.now() + HUB_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if ((await checkHub(url, token))?.isProven) return true;
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
  return false;
}
