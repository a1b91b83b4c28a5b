import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageContent } from "@debug-bridge/protocol";
import { stateFolder } from "../chrome/profile.js";

/** Where the screenshots of a chat are kept in debug mode. */
export function screenshotFolder(home: string | undefined, chatId: string): string {
  return join(
    stateFolder(home),
    "chats",
    chatId
      .replace(/[^\w.-]+/g, "-")
      .replace(/^\.+/, "-")
      .slice(0, 100),
    "screenshots",
  );
}

/** Saves a screenshot with what it was taken with. Returns its path. */
export function saveScreenshot(folder: string, image: ImageContent, about: Record<string, unknown>): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString();
  const name = `${time.replace(/[:.]/g, "-")}-${String(about.moment ?? "shot")}`;
  const path = join(folder, `${name}.jpg`);
  const bytes = Buffer.from(image.source.data, "base64");
  writeFileSync(path, bytes, { mode: 0o600 });
  const metadata = { takenAt: time, bytes: bytes.length, format: "jpeg", ...about };
  writeFileSync(join(folder, `${name}.metadata.json`), `${JSON.stringify(metadata, null, 2)}\n`, {
    mode: 0o600,
  });
  return path;
}
