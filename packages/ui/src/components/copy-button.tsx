import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";

const SHOWN_MS = 1_500;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Another one than two sheets, where several things can be copied. */
  readonly icon?: ReactNode;
}

export function CopyButton({ text, label, icon = <Copy aria-hidden /> }: Props): ReactNode {
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
      {state === "copied" ? <Check aria-hidden /> : icon}
      <span role="status" className="hidden-text">
        {state === "" ? "" : state === "copied" ? "Copied" : "The browser did not allow copying"}
      </span>
    </button>
  );
}
