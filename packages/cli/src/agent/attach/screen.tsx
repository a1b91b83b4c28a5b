import { stripControlCharacters } from "@debug-bridge/protocol";
import { Box, type Key, Text, useApp, useInput, useStdout } from "ink";
import { type ReactElement, useEffect, useReducer, useRef, useState, useSyncExternalStore } from "react";
import { COLOURED, render } from "../../terminal/style.js";
import { eventLine } from "../events/event-line.js";
import { detailLines } from "./details.js";
import { NO_INPUT, type Press, press, type ScreenInput } from "./input.js";
import { type AgentCommand, KEY_ACTIONS } from "./keys.js";
import type { AgentView, ShownMessage } from "./view.js";

/** What the screen shows, and where its commands go. */
export interface ScreenSource {
  readonly sessionId: string;
  get(): AgentView;
  subscribe(changed: () => void): () => void;
  send(command: AgentCommand): void;
}

/** Lines of the two lists below the timeline, with their frames. */
const LISTS_HEIGHT = 8;
/** Header, notice, keys. */
const OTHER_LINES = 4;

/** An agent on a terminal: its timeline, its messages, its breakpoints, and a key for each command. */
export function Screen({ source }: { source: ScreenSource }): ReactElement {
  const view = useSyncExternalStore(source.subscribe, source.get);
  const { exit } = useApp();
  const { columns, rows } = useSize();
  const lines = Math.max(3, rows - 1 - LISTS_HEIGHT - OTHER_LINES);
  const { asking, words, wrong, back, details } = useKeys(source, lines, exit);

  const end = view.events.length - back;
  const shown = view.events.slice(Math.max(0, end - lines), end);
  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Header view={view} sessionId={source.sessionId} />
      <Box flexDirection="column" height={lines} flexShrink={0}>
        {details &&
          detailLines(view, back, columns)
            .slice(0, lines)
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
            .map((line, i) => <Text key={i}>{line}</Text>)}
        {(details ? [] : shown).map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
          <Text key={i} wrap="truncate">
            {render(eventLine(event), COLOURED)}
          </Text>
        ))}
      </Box>
      <Box height={LISTS_HEIGHT} flexShrink={0}>
        <List title={`messages ${view.messages.length}`} lines={view.messages.map(messageLine)} width="62%" />
        <List title="breakpoints" lines={view.breakpoints.map(breakpointLine)} width="38%" />
      </Box>
      {asking ? (
        <Text wrap="truncate-start">
          <Text color="cyan">{asking.asks}: </Text>
          {words}▏
        </Text>
      ) : (
        <Notice view={view} wrong={wrong} back={back} />
      )}
      <Keys />
    </Box>
  );
}

/**
 * What the person types. It is kept beside React's own state: keys come faster than the screen is drawn, and each has to
 * find what the one before it did.
 */
function useKeys(source: ScreenSource, lines: number, exit: () => void): ScreenInput {
  const input = useRef(NO_INPUT);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useInput((text, key) => {
    for (const one of pressesOf(text, key)) {
      const { command, quit, ...next } = press(input.current, one, source.get(), lines);
      input.current = next.input;
      if (command) source.send(command);
      if (quit) return exit();
    }
    draw();
  });
  return input.current;
}

/** A key, or the characters and line ends of what was pasted. */
function pressesOf(text: string, key: Key): Press[] {
  const names = {
    enter: key.return,
    escape: key.escape,
    backspace: key.backspace || key.delete,
    up: key.upArrow,
    down: key.downArrow,
    pageUp: key.pageUp,
    pageDown: key.pageDown,
  } as const;
  for (const [name, isPressed] of Object.entries(names))
    if (isPressed) return [{ key: name as keyof typeof names }];
  if (key.ctrl || key.meta) return [];
  return [...text].map((one) => (one === "\r" || one === "\n" ? { key: "enter" } : one));
}

function Header({ view, sessionId }: { view: AgentView; sessionId: string }): ReactElement {
  const state = view.over ?? (view.paused === undefined ? "running" : `paused: ${view.paused}`);
  const color = view.over ? "gray" : view.paused === undefined ? "green" : "yellow";
  return (
    <Text wrap="truncate">
      <Text bold>{sessionId}</Text> <Text color={color}>● {clean(state)}</Text> #{view.iteration}{" "}
      <Text dimColor>
        {clean(view.provider)}
        {view.call ? `  ${clean(view.call.name)} ${clean(view.call.toolId)}` : ""}
      </Text>
    </Text>
  );
}

function List({
  title,
  lines,
  width,
}: {
  title: string;
  lines: readonly string[];
  width: string;
}): ReactElement {
  const most = LISTS_HEIGHT - 3;
  return (
    <Box
      flexDirection="column"
      borderStyle="round"
      borderDimColor
      width={width}
      paddingX={1}
      overflow="hidden"
    >
      <Text dimColor>{title}</Text>
      {lines.slice(-most).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
        <Text key={i} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  );
}

function Notice({ view, wrong, back }: { view: AgentView; wrong: string; back: number }): ReactElement {
  if (wrong !== "") return <Text color="red">{wrong}</Text>;
  if (back > 0) return <Text dimColor>{`${back} newer events below`}</Text>;
  const { notice } = view;
  return (
    <Text wrap="truncate" {...(notice?.isError ? { color: "red" } : { dimColor: true })}>
      {clean(notice?.text ?? "")}
    </Text>
  );
}

function Keys(): ReactElement {
  return (
    <Text wrap="wrap">
      {KEY_ACTIONS.map(({ key, does }) => (
        <Text key={key}>
          <Text color="cyan">{key}</Text> <Text dimColor>{does}</Text>
          {"  "}
        </Text>
      ))}
      <Text color="cyan">v</Text> <Text dimColor>details</Text>
      {"  "}
      <Text color="cyan">↑↓</Text> <Text dimColor>scroll</Text>
      {"  "}
      <Text color="cyan">q</Text> <Text dimColor>quit</Text>
    </Text>
  );
}

function useSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const read = (): { columns: number; rows: number } => ({
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
  });
  const [size, setSize] = useState(read);
  useEffect(() => {
    const resized = (): void => setSize(read());
    stdout.on("resize", resized);
    return () => {
      stdout.off("resize", resized);
    };
  });
  return size;
}

const messageLine = ({ role, text }: ShownMessage): string => clean(`${role}: ${text.slice(0, 400)}`);

const breakpointLine = ({ id, type, condition, enabled, hits }: AgentView["breakpoints"][number]): string =>
  clean(`${id} ${type} ${type === "error" ? "" : condition} ${enabled === false ? "off" : `×${hits ?? 0}`}`);

const clean = (text: string): string => stripControlCharacters(text).replaceAll(/\s+/g, " ");
