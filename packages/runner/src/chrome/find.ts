import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
}

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];

/** Where Chrome is installed, by operating system; the standard location first. */
function standardPlaces(platform: NodeJS.Platform, env: Machine["env"]): string[] {
  if (platform === "win32") {
    const roots = [
      env.PROGRAMFILES ?? "C:\\Program Files",
      env["PROGRAMFILES(X86)"] ?? "C:\\Program Files (x86)",
    ];
    const local = env.LOCALAPPDATA ? [env.LOCALAPPDATA] : [];
    return [...roots, ...local].map((root) => win32.join(root, "Google\\Chrome\\Application\\chrome.exe"));
  }
  if (platform === "darwin") {
    return [
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ];
  }
  return ["/usr/bin/google-chrome", "/opt/google/chrome/chrome"];
}

/**
 * Path of the Chrome or Chromium that is installed; `CHROME_PATH` decides when it is set. None is ever downloaded.
 *
 * @example findChrome() // "/usr/bin/google-chrome"
 */
export function findChrome({
  platform = process.platform,
  env = process.env,
  exists = existsSync,
}: Partial<Machine> = {}): string | undefined {
  if (env.CHROME_PATH) return exists(env.CHROME_PATH) ? env.CHROME_PATH : undefined;
  const { delimiter, join } = platform === "win32" ? win32 : posix;
  const names = platform === "win32" ? ["chrome.exe"] : NAMES;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...standardPlaces(platform, env), ...onPath].find((path) => exists(path));
}
