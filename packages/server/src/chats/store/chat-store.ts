import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isAlive } from "@debug-bridge/journal";
import {
  BridgeError,
  CHAT_LIMITS,
  type ChangeChat,
  type ChatMeta,
  type ChatSummary,
  type CreateChat,
  type RunEvent,
} from "@debug-bridge/protocol";
import { readClaim } from "../runs/run-claim.js";
import { turnsOf } from "../runs/turns.js";
import { chatMarkdown } from "../transcript/markdown.js";
import { lastEvent, readTranscript, readTranscriptBackward } from "../transcript/transcript.js";
import { type EarlierPage, pageBefore } from "../transcript/transcript-page.js";
import { ChatFolder, chatIds, noChat } from "./chat-folder.js";
import { createUlid, isUlid } from "./ulid.js";

export interface EventPage {
  readonly events: readonly RunEvent[];
  /** The `since` of the next call. */
  readonly next: number;
  readonly more: boolean;
}

/** The chats of a home, on disk. Several hubs of a home share them. */
export class ChatStore {
  private readonly root: string;

  constructor(home: string) {
    this.root = join(home, "chats");
  }

  create({ provider, title = "", cwd, breakpoints }: CreateChat & { provider: string }): ChatSummary {
    if (this.ids().length >= CHAT_LIMITS.chats)
      throw new BridgeError(
        "too_large",
        `there are ${CHAT_LIMITS.chats} chats, which is the limit; delete some with DELETE /v1/chats/ID`,
      );
    const folder = this.newFolder();
    const created = new Date().toISOString();
    const where = workingFolder(cwd);
    folder.create({
      ...{ id: folder.id, title, provider, created, updated: created, cwd: where, providerState: {} },
      ...(breakpoints === undefined ? {} : { breakpoints }),
    });
    return this.get(folder.id);
  }

  /** The folder of a chat. Throws when there is no such chat. */
  folder(id: string): ChatFolder {
    const folder = isUlid(id) ? new ChatFolder(this.root, id) : undefined;
    if (!folder?.read()) throw noChat(id);
    return folder;
  }

  has(id: string): boolean {
    return isUlid(id) && new ChatFolder(this.root, id).read() !== undefined;
  }

  meta(id: string): ChatMeta {
    const meta = this.folder(id).read();
    if (!meta) throw noChat(id);
    return meta;
  }

  get(id: string): ChatSummary {
    const folder = this.folder(id);
    const sequence = lastEvent(folder.transcript, id)?.sequence ?? 0;
    return { ...summaryOf(this.meta(id), folder), sequence };
  }

  /** Every chat, the one that was used last first. */
  list(): ChatSummary[] {
    return this.ids()
      .flatMap((id) => this.entry(id) ?? [])
      .sort((a, b) => b.updated.localeCompare(a.updated));
  }

  ids(): string[] {
    return chatIds(this.root);
  }

  /** A chat as the list shows it; undefined when there is no such chat. */
  entry(id: string): ChatSummary | undefined {
    const folder = new ChatFolder(this.root, id);
    const meta = folder.read();
    return meta && summaryOf(meta, folder);
  }

  /** A text that is another one after the entry of a chat has changed. */
  mark(id: string): string {
    return new ChatFolder(this.root, id).mark();
  }

  /** Folders with a run that goes on, or that was left behind. */
  claimed(): ChatFolder[] {
    return this.ids()
      .map((id) => new ChatFolder(this.root, id))
      .filter((folder) => readClaim(folder) !== undefined);
  }

  change(id: string, change: ChangeChat): ChatSummary {
    this.folder(id).update((meta) => ({
      ...meta,
      ...(change.title === undefined ? {} : { title: change.title }),
      ...(change.archived === undefined ? {} : { archived: change.archived }),
      ...(change.provider === undefined ? {} : { provider: change.provider }),
      ...(change.breakpoints === undefined ? {} : { breakpoints: change.breakpoints }),
      updated: new Date().toISOString(),
    }));
    return this.get(id);
  }

  delete(id: string): void {
    const folder = this.folder(id);
    folder.exclusively(() => {
      const claim = readClaim(folder);
      if (claim && isAlive(claim.hub))
        throw new BridgeError(
          "conflict",
          `an agent is running in this chat; stop it first with POST /v1/runs/${claim.runId}/stop`,
        );
      folder.remove();
    });
  }

  events(id: string, since: number, limit: number): EventPage {
    const events: RunEvent[] = [];
    let more = false;
    for (const event of readTranscript(this.folder(id).transcript, id, since)) {
      more = events.length === limit;
      if (more) break;
      events.push(event);
    }
    return { events, next: events.at(-1)?.sequence ?? since, more };
  }

  /** The newest events before `before`, or of all. */
  eventsBefore(id: string, before: number | undefined, limit: number): EarlierPage {
    return pageBefore(readTranscriptBackward(this.folder(id).transcript, id, before), limit);
  }

  markdown(id: string): string {
    return chatMarkdown(this.meta(id), turnsOf(readTranscript(this.folder(id).transcript, id)));
  }

  private newFolder(): ChatFolder {
    return new ChatFolder(this.root, createUlid());
  }
}

function summaryOf(meta: ChatMeta, folder: ChatFolder): ChatSummary {
  const claim = readClaim(folder);
  const usage = meta.providerState[meta.provider]?.latestUsage;
  return {
    ...meta,
    kind: "chat",
    ...(claim && isAlive(claim.hub) ? { runId: claim.runId } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

function workingFolder(cwd = process.cwd()): string {
  if (isAbsolute(cwd) && statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
  throw new BridgeError(
    "invalid_message",
    `cwd is ${JSON.stringify(cwd.slice(0, 200))}; it must be the absolute path of an existing folder`,
    { field: "cwd" },
  );
}
