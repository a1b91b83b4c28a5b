import { type Receipt, receiptLines } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";

const SIGN_CLASS: Readonly<Record<string, string>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
  "±": "changed",
};

/** What an action or an edit changed: a line each, with a sign that says how. */
export function ReceiptView({ receipt }: { readonly receipt: unknown }): ReactNode {
  const lines = linesOf(receipt);
  if (!lines) return null;
  return (
    <ul className="receipt" aria-label="What it changed">
      {lines.map((line, index) => {
        const change = SIGN_CLASS[line[0] ?? ""] ?? (line.startsWith("error:") ? "error" : "");
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
          <li key={index} className={change} dir="auto">
            {visibleText(line)}
          </li>
        );
      })}
    </ul>
  );
}

/** A recording may hold anything in the place of a receipt. */
function linesOf(receipt: unknown): string[] | undefined {
  if (typeof receipt !== "object" || receipt === null) return undefined;
  try {
    return receiptLines(receipt as Receipt);
  } catch {
    return [JSON.stringify(receipt)];
  }
}
