import type { Breakpoint } from "@debug-bridge/protocol";
import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { X } from "lucide-react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { fieldsOf, listOf } from "../details/fields.js";
import type { SendToAgent } from "./agent-pane.js";

type On = "tool" | "pattern" | "error";
const PLACEHOLDER: Record<On, string> = {
  tool: "name, or * for all",
  pattern: "regular expression",
  error: "",
};

/** Where the agent stops by itself. */
export function Breakpoints({ send }: { readonly send: SendToAgent }): ReactNode {
  const [breakpoints, setBreakpoints] = useState<readonly Breakpoint[]>();
  const [on, setOn] = useState<On>("tool");
  const [text, setText] = useState("");
  const latest = useRef(send);
  latest.current = send;
  const read = useCallback(async () => {
    const answer = await latest.current("breakpoint", { action: "list" });
    const list = Array.isArray(answer) ? answer : listOf(fieldsOf(answer).breakpoints);
    setBreakpoints(list as readonly Breakpoint[]);
  }, []);
  const add = async (): Promise<void> => {
    const about = on === "tool" ? { name: text.trim() } : on === "pattern" ? { regex: text } : {};
    if ((await send("breakpoint", { action: "add", on, ...about })) !== undefined) setText("");
    await read();
  };
  return (
    // Asking the agent is a separate event, so it is not asked before somebody wants to know.
    <details className="breakpoints" onToggle={({ currentTarget }) => currentTarget.open && void read()}>
      <summary>Breakpoints {breakpoints && `(${breakpoints.length})`}</summary>
      <ul>
        {breakpoints?.map(({ id, type, condition }) => (
          <li key={id}>
            <span dir="auto">
              {type} {visibleText(String(condition ?? ""))}
            </span>
            <IconButton
              label={`Remove the breakpoint ${id}`}
              icon={<X aria-hidden />}
              onClick={() => void send("breakpoint", { action: "clear", id }).then(read)}
            />
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <select aria-label="Stop at" value={on} onChange={(event) => setOn(event.target.value as On)}>
          <option value="tool">before the tool</option>
          <option value="pattern">at the pattern</option>
          <option value="error">at an error</option>
        </select>
        {on !== "error" && (
          <input
            aria-label={on === "tool" ? "Tool" : "Pattern"}
            placeholder={PLACEHOLDER[on]}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <button type="submit" disabled={on !== "error" && text.trim() === ""}>
          Add
        </button>
      </form>
    </details>
  );
}
