import { Command } from "commander";
import { type Finding, findings } from "../findings.js";
import { paint } from "../terminal.js";

const MARK = { ok: "✓", note: "·", wrong: "✗" } as const;
const COLOUR = { ok: "green", note: "dim", wrong: "red" } as const;

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("tell what is installed, reachable and wrong, and how to mend it")
    .option("--json", "print the findings as JSON")
    .option("--home <dir>", "home to look at")
    .action(async (options: { json?: boolean; home?: string }) => {
      const found = await findings(options.home);
      process.stdout.write(
        options.json ? `${JSON.stringify({ findings: found })}\n` : found.map(line).join(""),
      );
      if (found.some(({ state }) => state === "wrong")) process.exitCode = 1;
    });
}

function line({ state, what, detail, mend }: Finding): string {
  const advice = mend ? `\n    ${paint("yellow", `→ ${mend}`)}` : "";
  return `${paint(COLOUR[state], MARK[state])} ${what.padEnd(14)} ${detail}${advice}\n`;
}
