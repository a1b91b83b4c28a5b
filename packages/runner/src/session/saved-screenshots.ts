import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageContent } from "@debug-bridge/protocol";
import { type ProfileOptions, projectFolder } from "../chrome/profile.js";

/** Where debug mode saves the screenshots of a session: each session has its own folder in that of its project. */
export function screenshotFolder(
  options: Pick<ProfileOptions, "home" | "project">,
  sessionId: string,
): string {
  const name = sessionId
    .replace(/[^\w.-]+/g, "-")
    .replace(/^\.+/, "-")
    .slice(0, 100);
  return join(projectFolder(options), "screenshots", name);
}

/** Saves a screenshot with the settings it was taken with. Returns its path. */
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
