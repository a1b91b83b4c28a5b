import { List, X } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "../components/icon-button.js";
import { useShortcuts } from "../components/keys.js";
import { saveFile } from "../components/save-file.js";
import type { HubAccess } from "../hub/access.js";
import { ChatClient } from "../hub/chat-client.js";
import { useSelectedChat } from "../state/selected-chat.js";
import { useChatList } from "../state/use-chat-list.js";
import { type HubState, useHub } from "../state/use-hub.js";
import { visibleText } from "../text/visible-text.js";
import { ChatList } from "./chat-list.js";
import { ChatTitle } from "./chat-title.js";
import { ConversationView } from "./conversation/conversation-view.js";
import { SitesDialog } from "./dialogs/sites-dialog.js";
import { Shortcuts } from "./shortcuts.js";

/** The chat: conversations, and one of them. */
export function ChatApp({ access }: { readonly access: HubAccess }): ReactNode {
  const client = useMemo(() => new ChatClient(access), [access]);
  const [query, setQuery] = useState("");
  const hub = useHub(client);
  const [list, readList] = useChatList(client, useDeferredValue(query.trim()));
  const [selected, setSelected] = useSelectedChat();
  const [isListOpen, setListOpen] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const [areSitesShown, setSitesShown] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [choices, setChoices] = useState(0);
  const input = useRef<HTMLTextAreaElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const chat = list?.chats.find(({ id }) => id === selected);

  const select = useCallback(
    (id: string | undefined) => {
      setSelected(id);
      setListOpen(false);
      setProblem(undefined);
      setChoices((count) => count + 1);
    },
    [setSelected],
  );
  const run = (action: () => Promise<unknown>): void => {
    setProblem(undefined);
    action().then(readList, (thrown: Error) => setProblem(thrown.message));
  };
  const goToSearch = useCallback(() => {
    setListOpen(true);
    search.current?.focus();
  }, []);
  const showKeys = useCallback(() => setKeysShown(true), []);
  useShortcuts(goToSearch, showKeys);
  useFocus({ choices, isListOpen, input, search });
  useEffect(() => {
    document.title = chat ? `${visibleText(chat.title)} – Debug Bridge` : "Chat – Debug Bridge";
  }, [chat]);

  return (
    <div className="chat-app" data-list={isListOpen ? "open" : "closed"} data-connection={hub.connection}>
      <ChatList
        search={search}
        list={list}
        query={query}
        selected={selected}
        onQuery={setQuery}
        onSelect={select}
        onShowKeys={showKeys}
        onShowSites={() => setSitesShown(true)}
      />
      <main>
        <header>
          <span className="toggle">
            <IconButton
              label={isListOpen ? "Close the list of chats" : "Chats"}
              onClick={() => setListOpen(!isListOpen)}
              icon={isListOpen ? <X aria-hidden /> : <List aria-hidden />}
            />
          </span>
          <ChatTitle
            key={selected}
            chat={chat}
            onRename={(title) => chat && run(() => client.change(chat.id, { title }))}
            onArchive={() =>
              chat && run(() => client.change(chat.id, { archived: true }).then(() => select(undefined)))
            }
            onExport={() =>
              chat && run(async () => saveFile(`${chat.id}.md`, await client.markdown(chat.id)))
            }
            onDelete={() => chat && run(() => client.delete(chat.id).then(() => select(undefined)))}
          />
        </header>
        <Banners hub={hub} problem={problem} onDismiss={() => setProblem(undefined)} />
        <ConversationView
          client={client}
          hub={hub}
          chatId={selected}
          chat={chat}
          input={input}
          onCreated={setSelected}
          onProblem={setProblem}
        />
      </main>
      {areSitesShown && <SitesDialog client={client} onClose={() => setSitesShown(false)} />}
      {areKeysShown && <Shortcuts onClose={() => setKeysShown(false)} />}
    </div>
  );
}

interface Focus {
  /** How often the person chose a chat. */
  readonly choices: number;
  readonly isListOpen: boolean;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** Who chose a chat wants to write; who opened the list wants to search. */
function useFocus({ choices, isListOpen, input, search }: Focus): void {
  useEffect(() => {
    // Only now: while the list covers the conversation, nothing in there can have the focus.
    if (choices > 0) input.current?.focus();
  }, [choices, input]);
  useEffect(() => {
    if (isListOpen) search.current?.focus();
  }, [isListOpen, search]);
}

interface BannersProps {
  readonly hub: HubState;
  readonly problem: string | undefined;
  onDismiss(): void;
}

/** What keeps the chat from working. */
function Banners({ hub, problem, onDismiss }: BannersProps): ReactNode {
  return (
    <>
      {(hub.connection === "lost" || hub.connection === "refused") && (
        <p className="banner" role="alert">
          {hub.problem}
        </p>
      )}
      {problem !== undefined && (
        <p className="banner" role="alert">
          <span dir="auto">{visibleText(problem)}</span>
          <IconButton label="Dismiss" onClick={onDismiss} icon={<X aria-hidden />} />
        </p>
      )}
    </>
  );
}
