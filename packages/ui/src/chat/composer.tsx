import { SendHorizontal, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";

interface Props {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  /** Why nothing can be sent now. */
  readonly blocked: string | undefined;
  readonly isRunning: boolean;
  onDraft(text: string): void;
  /** The message leaves the draft when the hub has taken it. */
  onSend(text: string): Promise<unknown>;
  onStop(): Promise<void>;
}

const MAX_CHARACTERS = 262_144;

/** Where the person writes. Stop takes the place of Send while the agent works. */
export function Composer({ input, draft, blocked, isRunning, onDraft, onSend, onStop }: Props): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const canSend = draft.trim() !== "" && !isRunning && !isBusy && blocked === undefined;

  const during = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await action();
    } finally {
      setBusy(false);
    }
  };
  const send = (): Promise<void> => during(() => onSend(draft));
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also ends a composition of an input method.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) void send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) void send();
      }}
    >
      <textarea
        ref={input}
        dir="auto"
        rows={2}
        maxLength={MAX_CHARACTERS}
        aria-label="Message"
        aria-describedby="composer-hint"
        placeholder={isRunning ? "Write the next message" : "Ask about the page, or say what to do"}
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <button type="button" className="stop" disabled={isBusy} onClick={() => void during(onStop)}>
          <Square aria-hidden /> Stop
        </button>
      ) : (
        <button type="submit" className="send" disabled={!canSend}>
          <SendHorizontal aria-hidden /> Send
        </button>
      )}
      <p id="composer-hint" className="quiet">
        {blocked ?? (isRunning ? "Esc stops the agent" : "Enter sends, Shift+Enter starts a new line")}
      </p>
    </form>
  );
}
