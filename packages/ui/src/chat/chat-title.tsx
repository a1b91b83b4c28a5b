import { Archive, Download, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../components/icon-button.js";
import type { FoundChat } from "../hub/chat-client.js";
import { chatTitle } from "./chat-list.js";

interface Props {
  readonly chat: FoundChat | undefined;
  onRename(title: string): void;
  onArchive(): void;
  onExport(): void;
  onDelete(): void;
}

/** Puts the focus where the person is asked something. */
const focus = (element: HTMLElement | null): void => element?.focus();

/** The name of the chat, and what can be done with it. */
export function ChatTitle({ chat, onRename, onArchive, onExport, onDelete }: Props): ReactNode {
  const [mode, setMode] = useState<"shown" | "renaming" | "deleting">("shown");
  if (!chat)
    return (
      <div className="chat-title">
        <h1>New chat</h1>
      </div>
    );
  if (mode === "renaming")
    return (
      <form
        className="chat-title"
        onSubmit={(event) => {
          event.preventDefault();
          const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
          if (title !== "") onRename(title);
          setMode("shown");
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          setMode("shown");
        }}
      >
        <input
          name="title"
          aria-label="Name of the chat"
          maxLength={200}
          defaultValue={chatTitle(chat)}
          ref={focus}
        />
        <button type="submit">Rename</button>
      </form>
    );
  if (mode === "deleting")
    return (
      <div className="chat-title" role="alert">
        <span>Delete this chat permanently?</span>
        <button type="button" ref={focus} onClick={() => setMode("shown")}>
          Keep
        </button>
        <button type="button" className="danger" onClick={onDelete}>
          Delete
        </button>
      </div>
    );
  return (
    <div className="chat-title">
      <h1 title={chatTitle(chat)}>
        <bdi>{chatTitle(chat)}</bdi>
      </h1>
      <IconButton label="Rename" onClick={() => setMode("renaming")} icon={<Pencil aria-hidden />} />
      <IconButton label="Export as Markdown" onClick={onExport} icon={<Download aria-hidden />} />
      <IconButton label="Archive" onClick={onArchive} icon={<Archive aria-hidden />} />
      <IconButton label="Delete" onClick={() => setMode("deleting")} icon={<Trash2 aria-hidden />} />
    </div>
  );
}
