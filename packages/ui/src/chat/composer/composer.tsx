import { CHAT_LIMITS } from "@debug-bridge/protocol";
import { SendHorizontal, Square } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { placeName } from "../../state/place.js";
import type { Attachments } from "../../state/use-attachments.js";
import type { ChangeDraft, Draft } from "../../state/use-drafts.js";
import { useFileDrop } from "../../state/use-file-drop.js";
import type { ShownPicture } from "../chat-context.js";
import { AttachButtons } from "./attach-buttons.js";
import { DraftAttachments } from "./draft-attachments.js";

interface Props {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly draft: Draft;
  readonly change: ChangeDraft;
  readonly attachments: Attachments;
  /** Why nothing can be sent now. */
  readonly blocked: string | undefined;
  readonly isRunning: boolean;
  /** The message leaves the draft when the hub has taken it. */
  onSend(): Promise<unknown>;
  onStop(): Promise<void>;
  showPicture(picture: ShownPicture): void;
}

const isEmpty = ({ text, pictures, element }: Draft): boolean =>
  text.trim() === "" && pictures.length === 0 && element === undefined;

/** Where the person writes. Stop takes the place of Send while the agent works. */
export function Composer({ input, draft, change, attachments, blocked, isRunning, ...on }: Props): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const isDropping = useFileDrop(({ files }) => attachments.addFiles([...files]));
  const canSend = !isEmpty(draft) && !isRunning && !isBusy && blocked === undefined;

  const during = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await action();
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also ends a composition of an input method.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) void during(on.onSend);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const { files, types } = event.clipboardData;
    // Programs that copy text often copy a picture of it as well.
    if (files.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    void attachments.addFiles([...files]);
  };
  const hint = hintOf({ attachments, blocked, isRunning, isDropping });
  return (
    <form
      className="composer"
      data-dropping={isDropping || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) void during(on.onSend);
      }}
    >
      <DraftAttachments draft={draft} change={change} showPicture={on.showPicture} />
      <textarea
        ref={input}
        dir="auto"
        rows={2}
        maxLength={CHAT_LIMITS.message}
        aria-label="Message"
        aria-describedby="composer-hint"
        placeholder={isRunning ? "Write the next message" : "Ask about the page, or say what to do"}
        value={draft.text}
        onChange={({ target }) => change((before) => ({ ...before, text: target.value }))}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="tools">
        <AttachButtons attachments={attachments} />
        <p
          id="composer-hint"
          aria-live={attachments.pickingIn ? "polite" : "off"}
          className={hint === undefined ? "quiet minor" : "quiet"}
        >
          {hint ?? "Shift+Enter starts a new line"}
        </p>
        {isRunning ? (
          <button type="button" className="stop" disabled={isBusy} onClick={() => void during(on.onStop)}>
            <Square aria-hidden /> Stop
          </button>
        ) : (
          <button type="submit" className="send" disabled={!canSend}>
            <SendHorizontal aria-hidden /> Send
          </button>
        )}
      </div>
    </form>
  );
}

interface Situation extends Pick<Props, "attachments" | "blocked" | "isRunning"> {
  readonly isDropping: boolean;
}

/** What the person should know now, if there is anything. */
function hintOf({ attachments, blocked, isRunning, isDropping }: Situation): string | undefined {
  if (isDropping) return "Drop pictures to add them";
  const { pickingIn } = attachments;
  if (pickingIn && !pickingIn.keys) return "Preparing the page… Esc cancels";
  if (pickingIn?.pointed !== undefined) return `${pickingIn.pointed}: Enter picks it`;
  if (pickingIn) return `Click an element in “${placeName(pickingIn)}”, or press ↓. Esc cancels`;
  if (blocked !== undefined) return blocked;
  return isRunning ? "Esc stops the agent" : undefined;
}
