import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";

/** Where browsers keep the profile that a person uses, below their folder for settings. */
const PROFILES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    "Google/Chrome",
    "Google/Chrome Beta",
    "Google/Chrome Dev",
    "Google/Chrome Canary",
    "Chromium",
    "Microsoft Edge",
    "Microsoft Edge Beta",
    "Microsoft Edge Dev",
    "BraveSoftware/Brave-Browser",
  ],
  win32: [
    "Google/Chrome/User Data",
    "Google/Chrome Beta/User Data",
    "Google/Chrome Dev/User Data",
    "Google/Chrome SxS/User Data",
    "Chromium/User Data",
    "Microsoft/Edge/User Data",
    "Microsoft/Edge Beta/User Data",
    "Microsoft/Edge Dev/User Data",
    "BraveSoftware/Brave-Browser/User Data",
  ],
  linux: [
    "google-chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "chromium",
    "microsoft-edge",
    "microsoft-edge-beta",
    "microsoft-edge-dev",
    "BraveSoftware/Brave-Browser",
  ],
};
const DEFAULT_PORT = 9222;
const LOOK_UP_TIMEOUT_MS = 2_000;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** Profiles in which a running browser may offer remote debugging, the one that was started last first. */
export function profileFolders(machine: Machine = thisMachine()): string[] {
  const { platform, env, home } = machine;
  const root =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? (env.LOCALAPPDATA ?? join(home, "AppData", "Local"))
        : (env.XDG_CONFIG_HOME ?? join(home, ".config"));
  const folders = (PROFILES[platform] ?? PROFILES.linux ?? []).map((name) => join(root, name));
  if (platform === "linux") folders.push(join(home, "snap/chromium/common/chromium"));
  return folders;
}

/** The address that a browser wrote into its profile when it began to offer remote debugging. */
export function addressIn(profile: string): { readonly url: string; readonly since: number } | undefined {
  const file = join(profile, "DevToolsActivePort");
  try {
    const [port, path] = readFileSync(file, "utf8").split("\n");
    if (!/^\d{1,5}$/.test(port ?? "") || !/^\/devtools\/browser\/[\w-]+$/.test(path ?? "")) return undefined;
    return { url: `ws://127.0.0.1:${port}${path}`, since: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Addresses of browsers to try, in order: those that say so in the profile of a person, then the usual port.
 *
 * @param chrome `auto`, or an address such as `http://127.0.0.1:9222` or `ws://host/devtools/browser/…`
 */
export async function browserAddresses(chrome: string, machine?: Machine): Promise<string[]> {
  if (chrome !== "auto") return [/^wss?:/i.test(chrome) ? chrome : await lookUp(chrome)];
  const found = profileFolders(machine)
    .flatMap((profile) => addressIn(profile) ?? [])
    .sort((a, b) => b.since - a.since);
  const usual = await lookUp(`http://127.0.0.1:${DEFAULT_PORT}`).catch(() => undefined);
  return [...new Set([...found.map(({ url }) => url), ...(usual ? [usual] : [])])];
}

/**
 * The address of the browser itself, from its list. What the given address has behind its path, such as the token of a service that
 * runs browsers, belongs to both.
 */
async function lookUp(address: string): Promise<string> {
  const { search } = new URL(address);
  const url = new URL(`/json/version${search}`, address);
  const response = await fetch(url, { signal: AbortSignal.timeout(LOOK_UP_TIMEOUT_MS) });
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: unknown };
  if (typeof webSocketDebuggerUrl === "string" && /^wss?:/.test(webSocketDebuggerUrl)) {
    // A browser in a container names itself by an address that holds only inside.
    const named = new URL(webSocketDebuggerUrl);
    // And it does not know of a server in front of it that adds TLS.
    if (url.protocol === "https:") named.protocol = "wss:";
    named.hostname = url.hostname;
    // `host` without a port would leave the port of the container.
    named.port = url.port;
    for (const [name, value] of url.searchParams)
      if (!named.searchParams.has(name)) named.searchParams.append(name, value);
    return named.href;
  }
  throw new BridgeError("app_not_connected", `${url.origin} answers, but it is not a browser`);
}

/** Throws unless it is `auto` or the address of a browser. */
export function checkChromeOption(chrome: string): void {
  if (chrome === "auto") return;
  const protocol = URL.canParse(chrome) ? new URL(chrome).protocol : "";
  if (["http:", "https:", "ws:", "wss:"].includes(protocol)) return;
  throw new BridgeError(
    "invalid_message",
    `--chrome takes auto, or an address such as http://127.0.0.1:9222, not "${chrome.slice(0, 100)}"`,
  );
}
