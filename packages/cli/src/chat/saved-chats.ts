import { homeFolder } from "@debug-bridge/client";
import { BridgeError, type ChatSummary } from "@debug-bridge/protocol";
import { ChatStore, type Turn, turnsOf } from "@debug-bridge/server";
import { printJson, printLine, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";

interface SavedOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly archived?: boolean;
}

const MIN_ID_CHARACTERS = 4;
const MAX_EVENTS = 1_000_000;

const storeOf = ({ home }: SavedOptions): ChatStore => new ChatStore(homeFolder(home));

/** The chat with this id, or the only one whose id ends so. */
export function findChat(store: ChatStore, text: string): ChatSummary {
  const wanted = text.toUpperCase();
  const found = store
    .list()
    .filter(({ id }) => id === wanted || (wanted.length >= MIN_ID_CHARACTERS && id.endsWith(wanted)));
  const [chat, ...others] = found;
  if (chat && others.length === 0) return chat;
  const what = JSON.stringify(text.slice(0, 60));
  const advice = "list them with: debug-bridge chat list";
  throw new BridgeError(
    "session_not_found",
    chat
      ? `${found.length} chats end in ${what}; use more of the id`
      : `no chat has the id ${what}; ${advice}`,
  );
}

export async function listChats(options: SavedOptions): Promise<void> {
  const chats = storeOf(options)
    .list()
    .filter(({ archived }) => options.archived || archived !== true);
  if (options.json) {
    await printJson({ chats });
    return;
  }
  if (chats.length === 0) printLine('No chat yet. Start one: debug-bridge chat "MESSAGE"');
  for (const { id, updated, provider, title, runId, archived } of chats) {
    const state =
      runId === undefined ? (archived ? paint("dim", " (archived)") : "") : paint("green", " (running)");
    printLine(
      `${id}  ${updated.slice(0, 16).replace("T", " ")}  ${provider.padEnd(11)}  ${oneLine(title) || "untitled"}${state}`,
    );
  }
}

export async function showChat(text: string, options: SavedOptions): Promise<void> {
  const store = storeOf(options);
  const chat = findChat(store, text);
  const { events } = store.events(chat.id, 0, MAX_EVENTS);
  if (options.json) for (const event of events) await printJson(event);
  else for (const turn of turnsOf(events)) printTurn(turn);
}

export async function exportChat(text: string, options: SavedOptions): Promise<void> {
  const store = storeOf(options);
  const { id, title } = findChat(store, text);
  const markdown = store.markdown(id);
  if (options.json) await printJson({ id, title, markdown });
  else printText(markdown);
}

function printTurn({ message, parts, errors, ended }: Turn): void {
  printLine(paint("bold", `> ${plain(message)}`));
  for (const part of parts) {
    if ("text" in part) printLine(plain(part.text.trim()));
    else printLine(paint("dim", stepText(part.step)));
  }
  for (const error of errors) printLine(`${paint("red", "error")}: ${plain(error)}`);
  if (ended === "person") printLine(paint("dim", "stopped"));
  if (ended === "interrupted") printLine(paint("dim", "interrupted: the hub ended during this run"));
  printLine();
}

/** One line for a step. */
export function stepText({ title, status }: { title: string; status: string }): string {
  const mark = status === "failed" ? "✗" : status === "running" ? "…" : "✓";
  return `${mark} ${oneLine(title)}`;
}

/** A carriage return would let a text overwrite its own line. */
export const plain = (text: string): string => text.replace(/\r\n?/g, "\n");

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
