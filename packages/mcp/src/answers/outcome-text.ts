import { type CommandOutcome, receiptLines } from "@debug-bridge/protocol";

/** The result of a command as text. */
export function outcomeText({ applied, message, result, value, receipt }: CommandOutcome): string {
  const lines: string[] = [];
  if (applied === false) lines.push("NOT applied: the app restored its own value");
  if (message) lines.push(message);
  if (result !== undefined) lines.push(result);
  else if (value !== undefined && value !== null) lines.push(JSON.stringify(value));
  if (receipt) lines.push(...receiptLines(receipt));
  return lines.join("\n") || "done";
}
