import { HubClient } from "@debug-bridge/client";
import { chooseSession } from "@debug-bridge/mcp";
import { BridgeError, type Picked } from "@debug-bridge/protocol";
import { Command, Option } from "commander";
import { findSessionHub } from "../hub/session-hub.js";
import { type CommonOptions, parseMilliseconds, withCommon } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine, printMessage } from "../terminal/output.js";

const DEFAULT_TIMEOUT_MS = 120_000;

interface PickOptions extends CommonOptions {
  readonly timeout: number;
}

type PickResult = { readonly picked: boolean } & Partial<Pick<Picked, "ref" | "role" | "name" | "source">>;

export function pickCommand(): Command {
  const command = withCommon(new Command("pick"))
    .argument("[session]", "the session; the one in use if left out")
    .addOption(
      new Option("--timeout <time>", "how long to wait")
        .argParser(parseMilliseconds)
        .default(DEFAULT_TIMEOUT_MS, "2m"),
    )
    .action(runPick);
  return addDetails(command, {
    notes:
      "Click an element in the page; Escape cancels. It is copied to the clipboard if the page allows that, and agents see it in logs.",
    examples: ["debug-bridge pick", "debug-bridge pick local-dev --json"],
  });
}

async function runPick(name: string | undefined, options: PickOptions): Promise<void> {
  const { hub: found, session } = await findSessionHub(options, name);
  const hub = new HubClient({ hub: async () => found, name: "cli" });
  try {
    const id = session ?? chooseSession(await hub.sessions(), "page").id;
    printMessage(`click an element in ${id}; Escape cancels`);
    const answer = await hub.command(id, { type: "pick", timeoutMs: options.timeout });
    if (answer.success !== true)
      throw new BridgeError("not_supported", String(answer.message ?? answer.error));
    const { picked, ref, role, name: label, source } = answer.value as PickResult;
    if (options.json) await printJson(answer.value);
    else if (!picked) printLine("cancelled");
    else printLine([ref, role, JSON.stringify(label), source].filter(Boolean).join(" "));
    if (!picked) process.exitCode = 1;
  } finally {
    hub.close();
  }
}
