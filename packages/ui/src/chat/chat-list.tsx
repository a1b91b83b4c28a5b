import { Keyboard, Plus, Search, ShieldCheck } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { IconButton } from "../components/icon-button.js";
import type { ChatList as Chats, FoundChat } from "../hub/chat-client.js";
import { exactTime, timeAgo } from "../text/time.js";
import { visibleText } from "../text/visible-text.js";
import { ListSkeleton } from "./conversation/skeletons.js";

interface Props {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly list: Chats | undefined;
  readonly query: string;
  readonly selected: string | undefined;
  onQuery(query: string): void;
  onSelect(id: string | undefined): void;
  onShowKeys(): void;
  onShowSites(): void;
}

export const chatTitle = ({ title }: Pick<FoundChat, "title">): string => visibleText(title) || "New chat";

/** The conversations, the one that was used last first. */
export function ChatList({ search, list, query, selected, ...on }: Props): ReactNode {
  const items = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    const buttons = [...(items.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    event.preventDefault();
  };
  return (
    <nav className="chats" aria-label="Chats">
      <div className="head">
        <button type="button" className="new" onClick={() => on.onSelect(undefined)}>
          <Plus aria-hidden /> New chat
        </button>
        <IconButton
          label="Sites where agents may act"
          onClick={on.onShowSites}
          icon={<ShieldCheck aria-hidden />}
        />
        <IconButton label="Keys" onClick={on.onShowKeys} icon={<Keyboard aria-hidden />} />
      </div>
      <label className="search">
        <Search aria-hidden />
        <input
          ref={search}
          type="search"
          placeholder="Search chats"
          aria-label="Search chats"
          value={query}
          onChange={(event) => on.onQuery(event.target.value)}
          onKeyDown={move}
        />
        <kbd aria-hidden>Ctrl K</kbd>
      </label>
      {list === undefined && <ListSkeleton />}
      {list?.chats.length === 0 && (
        <p className="quiet">{query === "" ? "No chats yet." : `No chat contains “${query}”.`}</p>
      )}
      {list?.partial && <p className="quiet">The texts of some chats were not searched.</p>}
      <ul ref={items} onKeyDown={move}>
        {list?.chats.map((chat) => (
          <li key={chat.id}>
            <button
              type="button"
              aria-current={chat.id === selected ? "true" : undefined}
              onClick={() => on.onSelect(chat.id)}
            >
              <span className="name">
                <bdi>{chatTitle(chat)}</bdi>
              </span>
              {chat.runId === undefined ? (
                <time dateTime={chat.updated} title={exactTime(chat.updated)}>
                  {timeAgo(chat.updated)}
                </time>
              ) : (
                <span className="running">running</span>
              )}
              {chat.snippet !== undefined && <span className="snippet">{visibleText(chat.snippet)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
