import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [state, setState] = useState<"" | "copied" | "failed">("");
  const copy = async (): Promise<void> => {
    const result = await navigator.clipboard.writeText(text).then(
      () => "copied" as const,
      () => "failed" as const,
    );
    setState(result);
    setTimeout(() => setState(""), SHOWN_MS);
  };
  return (
    <button type="button" className="icon" aria-label={label} title={label} onClick={() => void copy()}>
      {state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span role="status" className="hidden-text">
        {state === "" ? "" : state === "copied" ? "Copied" : "The browser did not allow copying"}
      </span>
    </button>
  );
}
