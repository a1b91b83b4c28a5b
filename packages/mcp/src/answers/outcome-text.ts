import { type CommandOutcome, type Receipt, receiptLines } from "@debug-bridge/protocol";

/** The result of a command as text. */
export function outcomeText({ applied, message, result, value, receipt }: CommandOutcome): string {
  const lines: string[] = [];
  if (applied === false) lines.push("NOT applied: the app restored its own value");
  if (message) lines.push(message);
  if (result !== undefined) lines.push(result);
  else if (value !== undefined && value !== null && !isInReceipt(value, receipt))
    lines.push(JSON.stringify(value));
  if (receipt) lines.push(...receiptLines(receipt));
  return lines.join("\n") || "done";
}

/** The result of one of several commands: what one would expect of it takes few words. */
export function shortOutcomeText(outcome: CommandOutcome): string {
  const { receipt } = outcome;
  const isSettled = receipt?.settled === true && receipt.edit === undefined;
  const lines = outcomeText(outcome).split("\n");
  const news = isSettled ? lines.filter((line) => !SETTLED.test(line)) : lines;
  const [change, ...others] = receipt?.changed ?? [];
  const isAll = change !== undefined && others.length === 0 && news.length === 1;
  const state = isAll ? newState(change) : undefined;
  return state ? `${change?.ref} is ${state}` : news.join("\n") || "done";
}

/** What a field or a box is now. */
function newState({ field, after }: NonNullable<Receipt["changed"]>[number]): string | undefined {
  if (field === "value") return `"${after}"`;
  if (field !== "checked") return undefined;
  return after === "true" ? "checked" : after === "false" ? "unchecked" : undefined;
}

const SETTLED = /^settled after \d+ ms$/;

/** Whether a value is only what a field holds now, which the receipt says. */
function isInReceipt(value: unknown, receipt: Receipt | undefined): boolean {
  const { value: text, values = [text], ...rest } = Object(value) as { value?: unknown; values?: unknown };
  if (Object.keys(rest).length > 0 || !Array.isArray(values) || values.length !== 1) return false;
  return (receipt?.changed ?? []).some(({ field, after }) => field === "value" && after === values[0]);
}
