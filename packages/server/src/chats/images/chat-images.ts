import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { imageInfo, readRegularBytes, replaceFile } from "@debug-bridge/journal";
import { BridgeError, CHAT_LIMITS, type ChatImage, type ImageType } from "@debug-bridge/protocol";

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" } as const;
const ID = /^[0-9a-f]{32}$/;
const ID_CHARACTERS = 32;

/** A picture that was saved. */
export interface SavedImage extends ChatImage {
  readonly file: string;
}

/** The pictures of a chat: `images/<id>.<ext>` in its folder. The same picture is kept once. */
export class ChatImages {
  private readonly folder: string;

  constructor(chatFolder: string) {
    this.folder = join(chatFolder, "images");
  }

  /** Keeps a picture. Throws when it is none, is too large, or when the chat has too many. */
  save(bytes: Buffer): SavedImage {
    const info = bytes.length <= CHAT_LIMITS.imageBytes ? imageInfo(bytes) : undefined;
    if (bytes.length > CHAT_LIMITS.imageBytes)
      throw new BridgeError(
        "too_large",
        `a picture has ${bytes.length} bytes; at most ${CHAT_LIMITS.imageBytes} are kept`,
      );
    if (!info) throw new BridgeError("invalid_message", "a picture is neither PNG nor JPEG nor WebP");
    const id = createHash("sha256").update(bytes).digest("hex").slice(0, ID_CHARACTERS);
    const file = this.file(id, info.mimeType);
    if (!existsSync(file)) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (readdirSync(this.folder).length >= CHAT_LIMITS.imagesOfChat)
        throw new BridgeError(
          "too_large",
          `this chat has ${CHAT_LIMITS.imagesOfChat} pictures, which is the limit; continue in a new chat`,
        );
      replaceFile(file, bytes);
    }
    return { id, ...info, file };
  }

  /** A picture and what it is. Throws when there is none with this id. */
  read(id: string): { bytes: Buffer; mimeType: ImageType } {
    for (const mimeType of ID.test(id) ? (Object.keys(EXTENSIONS) as ImageType[]) : []) {
      const bytes = bytesOf(this.file(id, mimeType));
      const info = bytes && imageInfo(bytes);
      if (bytes && info) return { bytes, mimeType: info.mimeType };
    }
    throw new BridgeError("target_not_found", `this chat has no picture ${JSON.stringify(id.slice(0, 60))}`);
  }

  private file(id: string, mimeType: ImageType): string {
    return join(this.folder, `${id}.${EXTENSIONS[mimeType]}`);
  }
}

/** What is no regular file, such as a link, counts as missing. */
function bytesOf(file: string): Buffer | undefined {
  try {
    return readRegularBytes(file);
  } catch {
    return undefined;
  }
}
