import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRegular, replaceFile, withLock } from "@debug-bridge/journal";
import { BridgeError, CHAT_MESSAGE_LIMITS, type ChatMeta } from "@debug-bridge/protocol";
import { chatMetaSchema, decode } from "@debug-bridge/protocol/schemas";
import { ChatImages } from "../images/chat-images.js";
import { isUlid } from "./ulid.js";

/** `chats/<ulid>/{meta.json,transcript.jsonl,images/}`, and `run.json` while a run goes on. */
export class ChatFolder {
  readonly path: string;
  readonly images: ChatImages;

  constructor(
    private readonly root: string,
    readonly id: string,
  ) {
    this.path = join(root, id);
    this.images = new ChatImages(this.path);
  }

  get transcript(): string {
    return join(this.path, "transcript.jsonl");
  }

  get claim(): string {
    return join(this.path, "run.json");
  }

  /** Whether it is a chat: a folder, not a link to one elsewhere, with valid metadata. */
  read(): ChatMeta | undefined {
    try {
      if (!lstatSync(this.path).isDirectory()) return undefined;
      const decoded = decode(chatMetaSchema, readRegular(join(this.path, "meta.json")), CHAT_MESSAGE_LIMITS);
      return decoded.ok && decoded.value.id === this.id ? decoded.value : undefined;
    } catch {
      return undefined;
    }
  }

  /** A text that is another one after the metadata, or who runs the chat, has changed. */
  mark(): string {
    const files = [join(this.path, "meta.json"), this.claim].map((file) => {
      const about = statSync(file, { throwIfNoEntry: false });
      // Each is replaced as a whole, by a separate file.
      return about && `${about.ino}.${about.mtimeMs}`;
    });
    return files.join(" ");
  }

  create(meta: ChatMeta): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.write(meta);
  }

  /** Changes the metadata, also when another hub of this home changes it at the same time. */
  update(change: (meta: ChatMeta) => ChatMeta): ChatMeta {
    return this.exclusively(() => {
      const before = this.read();
      if (!before) throw noChat(this.id);
      const after = change(before);
      if (JSON.stringify(after) !== JSON.stringify(before)) this.write(after);
      return after;
    });
  }

  /** Runs an action while no other process changes who runs this chat, or its metadata. */
  exclusively<Result>(action: () => Result): Result {
    if (!existsSync(this.path)) throw noChat(this.id);
    return withLock(join(this.path, "lock"), action);
  }

  /** Removes the chat. Its folder leaves the list in one step. */
  remove(): void {
    const aside = join(this.root, `.removed-${this.id}`);
    renameSync(this.path, aside);
    rmSync(aside, { recursive: true, force: true });
  }

  private write(meta: ChatMeta): void {
    replaceFile(join(this.path, "meta.json"), `${JSON.stringify(meta, null, 2)}\n`);
  }
}

/** Ids of the chats below a folder, newest first. Also finishes removals that were interrupted. */
export function chatIds(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(root);
  } catch {
    return [];
  }
  for (const name of names)
    if (name.startsWith(".removed-")) rmSync(join(root, name), { recursive: true, force: true });
  return names.filter(isUlid).sort().reverse();
}

export function noChat(id: string): BridgeError {
  return new BridgeError(
    "session_not_found",
    `chat ${JSON.stringify(id.slice(0, 60))} does not exist; list the chats with GET /v1/chats or debug-bridge chat list`,
  );
}
