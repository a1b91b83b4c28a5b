import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useState } from "react";
import type { SendToAgent } from "./agent-pane.js";
import type { HeldCall } from "./agent-run.js";

/** The call that waits: its input can be changed before it runs, or it is skipped. */
export function HeldCallForm({
  held,
  send,
}: {
  readonly held: HeldCall;
  readonly send: SendToAgent;
}): ReactNode {
  const original = JSON.stringify(held.input, null, 2) ?? "";
  const [text, setText] = useState(original);
  const [problem, setProblem] = useState<string>();
  const change = async (): Promise<void> => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (thrown) {
      setProblem(`This is not JSON: ${(thrown as Error).message}`);
      return;
    }
    setProblem(undefined);
    if ((await send("set_variable", { key: "input", value })) !== undefined) await send("resume");
  };
  const skip = async (): Promise<void> => {
    if ((await send("cancel_tool", { toolId: held.toolId })) !== undefined) await send("resume");
  };
  return (
    <section className="held" aria-label="The held call">
      <h3>
        <bdi>{visibleText(held.name)}</bdi> waits
      </h3>
      <label>
        Input
        <textarea
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem !== undefined && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <p className="buttons">
        {text === original ? (
          <button type="button" className="primary" onClick={() => void send("resume")}>
            Continue
          </button>
        ) : (
          <button type="button" className="primary" onClick={() => void change()}>
            Continue with this input
          </button>
        )}
        {held.toolId !== undefined && (
          <button type="button" onClick={() => void skip()}>
            Skip the call
          </button>
        )}
      </p>
    </section>
  );
}
