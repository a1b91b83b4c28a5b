import type { SimpleBreakpoint } from "@debug-bridge/protocol";
import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { IconButton } from "../../components/icon-button.js";
import { Modal } from "../../components/modal.js";
import { visibleText } from "../../text/visible-text.js";

interface Props {
  readonly breakpoints: readonly SimpleBreakpoint[];
  /** Tools that the person may want to stop at. */
  readonly tools: readonly string[];
  onChange(breakpoints: readonly SimpleBreakpoint[]): void;
  onClose(): void;
}

const EVERY_TOOL: SimpleBreakpoint = { on: "tool", name: "*" };
const ERRORS: SimpleBreakpoint = { on: "error" };
const isSame = (a: SimpleBreakpoint, b: SimpleBreakpoint): boolean => keyOf(a) === keyOf(b);
const keyOf = (breakpoint: SimpleBreakpoint): string =>
  breakpoint.on === "tool" ? `tool ${breakpoint.name}` : breakpoint.on;

/** Where the agents of this chat stop: seen, set and removed. */
export function BreakpointsDialog({ breakpoints, tools, onChange, onClose }: Props): ReactNode {
  const suggestions = useId();
  const input = useRef<HTMLInputElement>(null);
  const isSet = (wanted: SimpleBreakpoint): boolean => breakpoints.some((each) => isSame(each, wanted));
  const set = (wanted: SimpleBreakpoint, isWanted: boolean): void => {
    const others = breakpoints.filter((each) => !isSame(each, wanted));
    onChange(isWanted ? [...others, wanted] : others);
  };
  const named = breakpoints.flatMap((each) => (each.on === "tool" && each.name !== "*" ? [each] : []));
  const toggle = (label: string, wanted: SimpleBreakpoint): ReactNode => (
    <label className="choice">
      <input
        type="checkbox"
        checked={isSet(wanted)}
        onChange={(event) => set(wanted, event.target.checked)}
      />
      {label}
    </label>
  );
  return (
    <Modal className="settings" title="Breakpoints" onClose={onClose}>
      <div className="content">
        <p className="quiet">The agent stops there and waits until you choose Step or Resume.</p>
        {toggle("Before every tool", EVERY_TOOL)}
        {toggle("At errors", ERRORS)}
        <form
          className="add"
          onSubmit={(event) => {
            event.preventDefault();
            const name = input.current?.value.trim() ?? "";
            if (name !== "") set({ on: "tool", name }, true);
            if (input.current) input.current.value = "";
          }}
        >
          <input
            ref={input}
            list={suggestions}
            maxLength={200}
            aria-label="Before this tool"
            placeholder="Tool, such as act"
            autoComplete="off"
          />
          <datalist id={suggestions}>
            {tools.map((tool) => (
              <option key={tool} value={tool} />
            ))}
          </datalist>
          <button type="submit">
            <Plus aria-hidden /> Add
          </button>
        </form>
        {named.length > 0 && (
          <ul aria-label="Tools that the agent stops before">
            {named.map((each) => (
              <li key={each.name}>
                <code>{visibleText(each.name)}</code>
                <IconButton
                  label={`Remove ${visibleText(each.name)}`}
                  onClick={() => {
                    set(each, false);
                    // The button is gone; the focus must not be.
                    input.current?.focus();
                  }}
                  icon={<X aria-hidden />}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  );
}
