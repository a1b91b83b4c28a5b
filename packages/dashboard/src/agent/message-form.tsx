import { type ReactNode, useState } from "react";
import type { SendToAgent } from "./agent-pane.js";

/** Says something to the agent, which reads it with its next turn. */
export function MessageForm({ send }: { readonly send: SendToAgent }): ReactNode {
  const [text, setText] = useState("");
  const submit = async (): Promise<void> => {
    const content = text.trim();
    if (content !== "" && (await send("inject_message", { role: "user", content })) !== undefined)
      setText("");
  };
  return (
    <form
      className="message-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <input
        aria-label="Message to the agent"
        placeholder="Message to the agent"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" disabled={text.trim() === ""}>
        Send
      </button>
    </form>
  );
}
