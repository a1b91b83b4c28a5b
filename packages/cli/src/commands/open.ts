import { spawn } from "node:child_process";
import { requireHub } from "@debug-bridge/client";
import { Command } from "commander";
import { type CommonOptions, withCommon } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine, printMessage } from "../terminal/output.js";

interface OpenOptions extends CommonOptions {
  readonly print?: boolean;
}

export function openCommand(): Command {
  const command = withCommon(new Command("open"))
    .option("--print", "print the address and open nothing")
    .action(open);
  return addDetails(command, {
    notes:
      "The address contains the token on a terminal only. Where output is redirected, nothing is opened.",
    examples: ["debug-bridge open", "debug-bridge open --print"],
  });
}

/** The token is in the part of the address that browsers do not send; and the hub has proved that it knows it. */
async function open(options: OpenOptions): Promise<void> {
  const { url, token } = await requireHub(options);
  const isTerminal = process.stdout.isTTY === true;
  const address = token !== undefined && isTerminal ? `${url}/#token=${token}` : `${url}/`;
  if (options.json) await printJson({ url: address });
  else printLine(address);
  if (!isTerminal || options.print || options.json) return;
  const [program, ...args] = opener();
  const child = spawn(program as string, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => printMessage("no browser could be opened; open the address above"));
  child.unref();
}

function opener(): string[] {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["cmd", "/c", "start", ""];
  return ["xdg-open"];
}
