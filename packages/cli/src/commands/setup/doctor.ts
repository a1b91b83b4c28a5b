import { Command } from "commander";
import type { Finding } from "../../doctor/finding.js";
import { findings } from "../../doctor/findings.js";
import { type CommonOptions, withCommon } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";
import { UsageError } from "../../usage-error.js";

const MARK = { ok: "✓", note: "·", wrong: "✗" } as const;
const COLOUR = { ok: "green", note: "dim", wrong: "red" } as const;

export function doctorCommand(): Command {
  const command = withCommon(new Command("doctor"))
    .argument("[url]", "address of your app, to check whether it can reach the hub")
    .action(async (url: string | undefined, options: CommonOptions) => {
      if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
        throw new UsageError(`"${url}" is not an app's address; use one such as http://localhost:5173/`);
      const found = await findings(options, url);
      if (options.json) await printJson({ findings: found });
      else for (const finding of found) printLine(line(finding));
      if (found.some(({ state }) => state === "wrong")) process.exitCode = 1;
    });
  return addDetails(command, {
    examples: [
      "debug-bridge doctor",
      "debug-bridge doctor http://localhost:5173/",
      "debug-bridge doctor --json",
    ],
  });
}

function line({ state, what, detail, fix }: Finding): string {
  const advice = fix ? `\n    ${paint("yellow", `→ ${fix}`)}` : "";
  return `${paint(COLOUR[state], MARK[state])} ${what.padEnd(14)} ${detail}${advice}`;
}
