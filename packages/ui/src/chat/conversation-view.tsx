import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { ChatClient, FoundChat } from "../hub/chat-client.js";
import { frontPlace, placesIn } from "../state/place.js";
import { agentSessionOf, runningTurn } from "../state/turns.js";
import { useConversation } from "../state/use-conversation.js";
import type { HubState } from "../state/use-hub.js";
import { AgentControls } from "./agent-controls.js";
import { AgentPicker } from "./agent-picker.js";
import { Composer } from "./composer.js";
import { ContextBar } from "./context-bar.js";
import { PlacePicker } from "./place-picker.js";
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
  onChange(): void;
}

/** One conversation, or the beginning of a new one. */
export function ConversationView({ client, hub, chatId, chat, input, ...on }: Props): ReactNode {
  const [conversation, loadOlder] = useConversation(client, chatId);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const [chosenPlace, setPlace] = useState<string>();
  const [chosenAgent, setAgent] = useState<string>();
  const running = runningTurn(conversation);
  const agent =
    hub.providers.find(({ name }) => name === (chat?.provider ?? chosenAgent)) ??
    hub.providers.find(({ available }) => available);
  const places = placesIn(hub.sessions, location.href);
  const session = chosenPlace ?? frontPlace(places)?.id;
  const draftKey = chatId ?? "";
  const agentTitle = (name: string): string => titleOf(hub, name || chat?.provider || agent?.name || "");
  const agentSession = running && agentSessionOf(running);

  const attempt = async (action: () => Promise<unknown>): Promise<boolean> => {
    on.onProblem(undefined);
    try {
      await action();
      return true;
    } catch (thrown) {
      on.onProblem(problemOf(thrown));
      return false;
    } finally {
      on.onChange();
    }
  };
  const send = (text: string): Promise<boolean> =>
    attempt(async () => {
      const id = chatId ?? (await client.create(agent?.name ?? "")).id;
      if (chatId === undefined) {
        setDrafts((before) => ({ ...before, [draftKey]: "", [id]: text }));
        on.onCreated(id);
      }
      await client.start(id, text, session === undefined ? {} : { session });
      setDrafts((before) => ({ ...before, [id]: "" }));
    });
  const stop = async (): Promise<void> => {
    if (running) await attempt(() => client.stop(running.runId));
  };
  useStopKey(running ? stop : undefined);

  const isNew = chatId === undefined;
  return (
    <>
      <PlacePicker places={places} chosen={chosenPlace} onChoose={setPlace} />
      {isNew ? (
        <div className="start">
          <h2>What should the agent do?</h2>
          <p>It sees and uses the page above, and you see every step.</p>
          <AgentPicker providers={hub.providers} chosen={agent} onChoose={setAgent} />
        </div>
      ) : conversation.phase === "gone" ? (
        <div className="start" role="alert">
          <h2>This chat does not exist any more</h2>
          <p>Start a new one, or choose another from the list.</p>
        </div>
      ) : (
        <TurnList
          key={chatId}
          turns={conversation.turns}
          hasOlder={(conversation.events[0]?.sequence ?? 1) > 1}
          agentTitle={agentTitle}
          loadOlder={loadOlder}
        />
      )}
      <footer>
        <div className="bar">
          {isNew ? <span /> : <ContextBar usage={conversation.usage ?? chat?.usage} />}
          {agentSession !== undefined && (
            <AgentControls
              key={agentSession}
              client={client}
              session={agentSession}
              onProblem={on.onProblem}
            />
          )}
        </div>
        <Composer
          input={input}
          draft={drafts[draftKey] ?? ""}
          blocked={blockedBy(hub, isNew, agent !== undefined, conversation.phase)}
          isRunning={running !== undefined}
          onDraft={(text) => setDrafts((before) => ({ ...before, [draftKey]: text }))}
          onSend={send}
          onStop={stop}
        />
      </footer>
      <Announcer running={running?.runId} agent={agentTitle(running?.provider ?? "")} />
    </>
  );
}

/** Tells a screen reader when the agent starts and ends; the text itself can be read at leisure. */
function Announcer({
  running,
  agent,
}: {
  readonly running: string | undefined;
  readonly agent: string;
}): ReactNode {
  const [text, setText] = useState("");
  const before = useRef(running);
  useEffect(() => {
    if (before.current === running) return;
    before.current = running;
    setText(running === undefined ? "The agent has finished" : `${agent} is working`);
  }, [running, agent]);
  return (
    <p className="hidden-text" role="status">
      {text}
    </p>
  );
}

/** Escape stops the agent, wherever the focus is. */
function useStopKey(stop: (() => Promise<void>) | undefined): void {
  useEffect(() => {
    if (!stop) return;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) void stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [stop]);
}

function titleOf(hub: HubState, name: string): string {
  const title = hub.providers.find((each) => each.name === name)?.title ?? (name || "The agent");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function blockedBy(hub: HubState, isNew: boolean, hasAgent: boolean, phase: string): string | undefined {
  if (hub.connection === "connecting") return "Connecting to the hub…";
  if (hub.connection !== "live") return hub.problem;
  if (isNew) return hasAgent ? undefined : "No agent can be used yet; the list says what is missing";
  return phase === "loading"
    ? "Loading…"
    : phase === "gone"
      ? "This chat does not exist any more"
      : undefined;
}

function problemOf(thrown: unknown): string {
  return thrown instanceof TypeError
    ? "The hub is not reachable; nothing was sent"
    : (thrown as Error).message;
}
