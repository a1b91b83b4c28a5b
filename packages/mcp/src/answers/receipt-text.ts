import type { CommandOutcome, Receipt } from "@debug-bridge/protocol";

/** A receipt as a few lines that cost little: what happened, in words, with nothing said that did not. */
function receiptLines(receipt: Receipt): string[] {
  const { appeared = [], vanished = [], changed = [], errors = [], requests = [], state = [] } = receipt;
  const element = ({ ref, role, name }: { ref: string; role: string; name: string }): string =>
    `${ref} ${role} "${name}"`;
  const lines = [
    `${receipt.settled ? "settled" : "still moving"} after ${Math.round(receipt.durationMs)} ms`,
    ...(receipt.navigation ? [`now at ${receipt.navigation.to}`] : []),
    ...appeared.map((each) => `+ ${element(each)}`),
    ...vanished.map((each) => `- ${element(each)}`),
    ...changed.map((each) => `~ ${element(each)} ${each.field}: "${each.before}" -> "${each.after}"`),
    ...errors.map((text) => `error: ${text}`),
    ...(receipt.console ?? []).map(({ level, text }) => `console.${level}: ${text}`),
    ...requests.map(({ method, url, status, durationMs, error }) => {
      const how = error ?? (status === undefined ? "still running" : String(status));
      return `${method} ${url} ${how}${durationMs === undefined ? "" : ` in ${Math.round(durationMs)} ms`}`;
    }),
    ...state.map(
      ({ scope, path, before, after }) =>
        `state ${scope}${path && `.${path}`}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ];
  if (receipt.omitted) lines.push(`${receipt.omitted} more are left out`);
  return lines;
}

/** The answer to a command as text. */
export function outcomeText({ applied, message, result, receipt }: CommandOutcome): string {
  const lines: string[] = [];
  if (applied === false) lines.push("NOT applied: the app put its own value back");
  if (message) lines.push(message);
  if (result !== undefined) lines.push(result);
  if (receipt) lines.push(...receiptLines(receipt));
  return lines.join("\n") || "done";
}
