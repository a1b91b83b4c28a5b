import type { SimpleBreakpoint } from "@debug-bridge/protocol";
import { OctagonPause } from "lucide-react";
import { type ReactNode, useState } from "react";
import { BreakpointsDialog } from "./breakpoints-dialog.js";

interface Props {
  readonly breakpoints: readonly SimpleBreakpoint[];
  /** Asked when the dialog opens: a conversation may be long. */
  tools(): readonly string[];
  onChange(breakpoints: readonly SimpleBreakpoint[]): void;
}

/** How many breakpoints are set, and the way to them. */
export function BreakpointsButton({ breakpoints, tools, onChange }: Props): ReactNode {
  const [shown, setShown] = useState<readonly string[]>();
  const { length } = breakpoints;
  return (
    <>
      <button
        type="button"
        className={length === 0 ? "icon" : "icon set"}
        aria-haspopup="dialog"
        aria-label={length === 0 ? "Breakpoints" : `Breakpoints: ${length} set`}
        title="Breakpoints"
        onClick={() => setShown(tools())}
      >
        <OctagonPause aria-hidden /> {length > 0 && length}
      </button>
      {shown && (
        <BreakpointsDialog
          breakpoints={breakpoints}
          tools={shown}
          onChange={onChange}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
