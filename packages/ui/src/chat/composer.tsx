import { SendHorizontal, Square } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { placeName } from "../state/place.js";
import type { Attachments } from "../state/use-attachments.js";
import type { ChangeDraft, Draft } from "../state/use-drafts.js";
import { usePictureDrop } from "../state/use-picture-drop.js";
import { AttachButtons } from "./attach-buttons.js";
import type { ShownPicture } from "./chat-context.js";
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

const MAX_CHARACTERS = 262_144;

/** Where the person writes. Stop takes the place of Send while the agent works. */
export function Composer({ input, draft, change, attachments, blocked, isRunning, ...on }: Props): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const isDropping = usePictureDrop(attachments.addFiles);
  const canSend = draft.text.trim() !== "" && !isRunning && !isBusy && blocked === undefined;

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
  const hint = hintOf({ draft, attachments, blocked, isRunning, isDropping });
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
        maxLength={MAX_CHARACTERS}
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
        <p id="composer-hint" className={hint === undefined ? "quiet minor" : "quiet"}>
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

interface Situation extends Pick<Props, "draft" | "attachments" | "blocked" | "isRunning"> {
  readonly isDropping: boolean;
}

/** What the person should know now, if there is anything. */
function hintOf({ draft, attachments, blocked, isRunning, isDropping }: Situation): string | undefined {
  if (isDropping) return "Drop pictures to add them";
  const { pickingIn } = attachments;
  if (pickingIn && !pickingIn.isReady) return "Preparing the page… Esc cancels";
  if (pickingIn) return `Click an element in “${placeName(pickingIn)}”. Esc cancels`;
  if (blocked !== undefined) return blocked;
  if (isRunning) return "Esc stops the agent";
  const hasMore = draft.pictures.length > 0 || draft.element !== undefined;
  return hasMore && draft.text.trim() === "" ? "Say what to do with it" : undefined;
}
