import { frontSession } from "@debug-bridge/protocol";
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from "react";
import type { ChatClient, FoundChat } from "../../hub/chat-client.js";
import { commandTools } from "../../hub/command-tools.js";
import { Lightbox } from "../../pictures/lightbox.js";
import { placesIn } from "../../state/place.js";
import { toolNames } from "../../state/tool-names.js";
import { agentSessionOf, runningTurn, waitingApproval } from "../../state/turns.js";
import { useAttachments } from "../../state/use-attachments.js";
import { useBreakpoints } from "../../state/use-breakpoints.js";
import { type ConversationState, useConversation } from "../../state/use-conversation.js";
import { runOf, useDrafts } from "../../state/use-drafts.js";
import type { HubState } from "../../state/use-hub.js";
import { ChatScopeProvider, type ShownPicture } from "../chat-context.js";
import { Composer } from "../composer/composer.js";
import { ContextBar } from "../composer/context-bar.js";
import { PlacePicker } from "../composer/place-picker.js";
import { BreakpointsButton } from "../dialogs/breakpoints-button.js";
import { AgentControls } from "./agent-controls.js";
import { Announcer } from "./announcer.js";
import { ConversationSkeleton } from "./skeletons.js";
import { StartView } from "./start-view.js";
import { TurnList } from "./turn-list.js";

interface Props {
  readonly client: ChatClient;
  readonly hub: HubState;
  readonly chatId: string | undefined;
  readonly chat: FoundChat | undefined;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  /** A new chat was made by sending its first message. */
  onCreated(id: string): void;
  onProblem(problem: string | undefined): void;
}

/** One conversation, or the beginning of a new one. */
export function ConversationView({ client, hub, chatId, chat, input, onProblem, ...on }: Props): ReactNode {
  const [conversation, loadEarlier] = useConversation(client, chatId);
  const { draft, change, move, remove } = useDrafts(chatId);
  const [chosenPlace, setPlace] = useState<string>();
  const [chosenAgent, setAgent] = useState<string>();
  const [sent, setSent] = useState(0);
  const [picture, setPicture] = useState<ShownPicture>();
  const [breakpoints, setBreakpoints] = useBreakpoints(client, chatId, chat?.breakpoints, onProblem);
  const running = runningTurn(conversation);
  const agent =
    hub.providers.find(({ name }) => name === (chat?.provider ?? chosenAgent)) ??
    hub.providers.find(({ available }) => available);
  const places = placesIn(hub.sessions, location.href);
  const place =
    chosenPlace === undefined ? frontSession(places) : places.find(({ id }) => id === chosenPlace);
  const tools = useMemo(() => client.access.page ?? commandTools(client), [client]);
  const attachments = useAttachments(tools, place, change, onProblem);
  const agentTitle = (name: string): string => titleOf(hub, name || chat?.provider || agent?.name || "");
  const agentSession = running && agentSessionOf(running);

  const attempt = async (action: () => Promise<unknown>): Promise<void> => {
    onProblem(undefined);
    await action().catch((thrown) => onProblem(problemOf(thrown)));
  };
  const send = (): Promise<void> =>
    attempt(async () => {
      const id = chatId ?? (await client.create(agent?.name ?? "", breakpoints)).id;
      if (chatId === undefined) {
        move(id);
        on.onCreated(id);
      }
      await client.start(id, runOf(draft, chosenPlace ?? place?.id));
      remove(id, draft);
      setSent((count) => count + 1);
    });
  const stop = async (): Promise<void> => {
    if (running) await attempt(() => client.stop(running.runId));
  };
  useEscape(attachments.pickingIn ? attachments.cancelPick : running && (() => void stop()));
  const scope = useMemo(
    () => ({ client, chatId: chatId ?? "", onProblem, showPicture: setPicture }),
    [client, chatId, onProblem],
  );

  const isNew = chatId === undefined;
  return (
    <ChatScopeProvider value={scope}>
      <PlacePicker places={places} chosen={chosenPlace} onChoose={setPlace} />
      {isNew ? (
        <StartView hub={hub} chosen={agent} onChoose={setAgent} />
      ) : (
        <Turns key={chatId} {...{ conversation, loadEarlier, agentTitle, sent }} />
      )}
      <footer>
        <div className="bar">
          {isNew ? <span /> : <ContextBar usage={conversation.usage ?? chat?.usage} />}
          <div className="controls">
            {agentSession !== undefined && (
              <AgentControls
                key={agentSession}
                client={client}
                session={agentSession}
                onProblem={onProblem}
              />
            )}
            <BreakpointsButton
              breakpoints={breakpoints}
              tools={() => toolNames(conversation.turns)}
              onChange={setBreakpoints}
            />
          </div>
        </div>
        <Composer
          input={input}
          draft={draft}
          change={change}
          attachments={attachments}
          blocked={blockedBy(hub, isNew, agent !== undefined, conversation.phase)}
          isRunning={running !== undefined}
          onSend={send}
          onStop={stop}
          showPicture={setPicture}
        />
      </footer>
      <Announcer
        running={running?.runId}
        agent={agentTitle(running?.provider ?? "")}
        question={running && waitingApproval(running)}
      />
      {picture && <Lightbox picture={picture} onClose={() => setPicture(undefined)} />}
    </ChatScopeProvider>
  );
}

interface TurnsProps {
  readonly conversation: ConversationState;
  readonly sent: number;
  loadEarlier(): Promise<void>;
  agentTitle(name: string): string;
}

/** What was said in a chat, or why there is nothing to see. */
function Turns({ conversation, loadEarlier, agentTitle, sent }: TurnsProps): ReactNode {
  if (conversation.phase === "loading") return <ConversationSkeleton />;
  if (conversation.phase === "gone")
    return (
      <div className="start" role="alert">
        <h2>This chat no longer exists</h2>
        <p>Start a new one, or choose another from the list.</p>
      </div>
    );
  const { turns, earlier } = conversation;
  return (
    <TurnList
      turns={turns}
      hasOlder={earlier !== null}
      agentTitle={agentTitle}
      sent={sent}
      loadOlder={loadEarlier}
    />
  );
}

/** Escape ends what goes on, wherever the focus is. */
function useEscape(end: (() => void) | undefined): void {
  useEffect(() => {
    if (!end) return;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) end();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [end]);
}

function titleOf(hub: HubState, name: string): string {
  const title = hub.providers.find((each) => each.name === name)?.title ?? (name || "The agent");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function blockedBy(hub: HubState, isNew: boolean, hasAgent: boolean, phase: string): string | undefined {
  if (hub.connection === "connecting") return "Connecting to the hub…";
  if (hub.connection !== "live") return hub.problem;
  if (isNew) return hasAgent ? undefined : "No agent can be used yet; the list says what is missing";
  return phase === "loading" ? "Loading…" : phase === "gone" ? "This chat no longer exists" : undefined;
}

function problemOf(thrown: unknown): string {
  return thrown instanceof TypeError
    ? "The hub is not reachable; nothing was sent"
    : (thrown as Error).message;
}
