import { Modal } from "@debug-bridge/ui/components/modal.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { HubState } from "../hub/hub-state.js";
import { sessionName } from "../session/session-name.js";
import type { Navigate, Route } from "./route.js";

interface Props {
  readonly client: DashboardApi;
  readonly hub: HubState;
  readonly route: Route;
  readonly navigate: Navigate;
  onTheme(): void;
  onKeys(): void;
  onClose(): void;
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
  run(): void;
}

const MAX_SHOWN = 12;

/** Finds any session, recording, record or action. */
export function Palette(props: Props): ReactNode {
  const { onClose } = props;
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const entries = useEntries(props, query.trim());
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  // A dialog that opens gives the focus to its first button.
  useEffect(() => input.current?.focus(), []);
  const chosen = entries[Math.min(active, entries.length - 1)];
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  return (
    <Modal className="palette" title="Find" onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={chosen && `${list}-${chosen.id}`}
        aria-label="Find a session, a recording, a record or an action"
        placeholder="Session, recording, record or action"
        ref={input}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setActive((index) => Math.max(0, Math.min(entries.length - 1, index + step)));
          } else if (event.key === "Enter") run(chosen);
        }}
      />
      <div id={list} role="listbox" aria-label="Found">
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={entry.id}
            id={`${list}-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={entry === chosen}
            onClick={() => run(entry)}
          >
            <span dir="auto">{visibleText(entry.text)}</span>
            <span className="quiet">{entry.hint}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="quiet nothing">No matches.</p>}
    </Modal>
  );
}

function useEntries({ client, hub, route, navigate, onTheme, onKeys }: Props, query: string): Entry[] {
  const [recordings, setRecordings] = useState<readonly Entry[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    client.recordings(controller.signal).then(
      (answer) =>
        setRecordings(
          answer.recordings.map(({ id, name, startTime }) => ({
            id: `recording-${id}`,
            text: `${name} ${new Date(startTime).toLocaleString()}`,
            hint: "recording",
            run: () => navigate({ timeline: { kind: "recording", id }, text: "" }),
          })),
        ),
      () => {},
    );
    return () => controller.abort();
  }, [client, navigate]);
  const sessions = [...hub.sessions.values()].map((session) => ({
    id: `session-${session.id}`,
    text: sessionName(session),
    hint: session.connected ? session.kind : `${session.kind}, ended`,
    run: () => navigate({ timeline: { kind: "session", id: session.id }, text: "" }),
  }));
  const { timeline } = route;
  const inTimeline: Entry[] = timeline
    ? [
        {
          id: "errors",
          text: "Show errors only",
          hint: "filter",
          run: () => navigate({ timeline, text: "", level: "error" }),
        },
        { id: "all", text: "Show all records", hint: "filter", run: () => navigate({ timeline, text: "" }) },
        { id: "home", text: "All sessions", hint: "go", run: () => navigate({ text: "" }) },
      ]
    : [];
  const actions: Entry[] = [
    { id: "settings", text: "Settings", hint: "go", run: () => navigate({ view: "settings", text: "" }) },
    { id: "theme", text: "Change the theme", hint: "setting", run: onTheme },
    { id: "keys", text: "Show the keys", hint: "help", run: onKeys },
  ];
  const matches = [...sessions, ...inTimeline, ...actions, ...recordings].filter(({ text, hint }) =>
    `${text} ${hint}`.toLowerCase().includes(query.toLowerCase()),
  );
  const search: Entry[] =
    timeline && query !== ""
      ? [
          {
            id: "text",
            text: `Records with “${query}”`,
            hint: "filter",
            run: () => navigate({ timeline, text: query }),
          },
        ]
      : [];
  return [...matches.slice(0, MAX_SHOWN), ...search];
}
