import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";

/** Names of folders of browsers that are built on Chromium, without the names of their channels. */
const BROWSERS =
  "google-chrome chromium bravesoftware brave-browser microsoft-edge vivaldi opera yandex-browser thorium ungoogled-chromium";
const NAMES = BROWSERS.split(" ");

/** Where programs keep their settings, below the home folder. */
const PLACES = [
  ".config",
  ".local/share",
  "Library/Application Support",
  "AppData/Local",
  "AppData/Roaming",
] as const;
/** Packages have their own home: `~/snap/chromium/common/chromium`, `~/.var/app/com.google.Chrome/config`. */
const PACKAGES = ["snap", ".var/app"] as const;

/** Whether a folder is in the profile of a browser that a person uses, by its own path or by way of links. */
export function isOwnProfile(folder: string, home = homedir()): boolean {
  return [resolve(folder), realPath(resolve(folder))].some((path) =>
    [home, realPath(home)].some((base) => isOwn(path, base)),
  );
}

function isOwn(path: string, home: string): boolean {
  const below = PLACES.map((place) => parts(join(home, place), path));
  if (below.some((names) => names !== undefined && isBrowser(names))) return true;
  return PACKAGES.some((place) => isBrowser(parts(join(home, place), path) ?? []));
}

/** The names of the folders from one to another, in lower case; `undefined` when it is not below. */
function parts(from: string, to: string): string[] | undefined {
  const way = relative(from, to);
  return way.startsWith("..") || way === to ? undefined : way.toLowerCase().split(/[\\/]/);
}

/** `google-chrome-beta`, `Google/Chrome Beta` and `com.google.Chrome` are all Chrome. */
function isBrowser([vendor = "", product = ""]: readonly string[]): boolean {
  const names = [vendor, `${vendor}-${product}`].map((name) => name.replace(/[ .]/g, "-"));
  return names.some((name) =>
    NAMES.some((browser) => name.replace(/^(?:com|org|net)-/, "").startsWith(browser)),
  );
}

/** The path without links; the part that does not exist yet stays as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
