import { homeFolder } from "@debug-bridge/client";
import { SavedApprovals } from "@debug-bridge/server";
import { printJson, printLine } from "../terminal/output.js";

interface ApprovalsOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly forget?: readonly string[];
}

/** Shows the sites for which the person said "always", after some were removed. */
export async function showApprovals({ home, json, forget = [] }: ApprovalsOptions): Promise<void> {
  const saved = new SavedApprovals(homeFolder(home));
  for (const origin of forget) saved.remove(origin);
  const approvals = saved.list();
  if (json) return printJson({ approvals });
  if (approvals.length === 0) printLine("Agents ask before they act on any site.");
  for (const { origin, at } of approvals) printLine(`${at.slice(0, 16).replace("T", " ")}  ${origin}`);
}
