import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { announcedHubs, loadPairingKey, replaceFile } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import { DEFAULT_PORTS } from "@debug-bridge/server";

export type Share = "chosen" | "all";

/** What the copy of the extension in a home is configured with. */
export interface ExtensionConfig {
  readonly hub: { readonly address: string; readonly consolePort: number; readonly relayPort: number };
  readonly pairingKey: string;
  readonly share: Share;
}

const CONFIG = "config.json";

/** The folder in a home that Chrome loads. */
export function extensionFolder(home: string): string {
  return join(home, "extension");
}

/**
 * Writes the unpacked extension with its pairing key into the home, readable by its owner only. It is for the newest hub
 * of the home, else for the one that it was written for last. `share` stays as it was unless it is given.
 */
export function writeExtension(home: string, share?: Share): ExtensionConfig {
  const folder = extensionFolder(home);
  const last = readConfig(folder);
  const config: ExtensionConfig = {
    hub: runningHub(home) ?? last?.hub ?? addressOf(DEFAULT_PORTS),
    pairingKey: loadPairingKey(home),
    share: share ?? last?.share ?? "chosen",
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyNewer(builtExtension(), folder);
  replaceFile(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`);
  return config;
}

/**
 * Brings a copy that exists up to date: the files of this version, and the pairing key of the home. Its address and what
 * it shares stay. Does nothing when there is no copy.
 */
export function refreshExtension(home: string): void {
  const folder = extensionFolder(home);
  const last = readConfig(folder);
  if (!last) return;
  copyNewer(builtExtension(), folder);
  const config: ExtensionConfig = { ...last, pairingKey: loadPairingKey(home) };
  if (config.pairingKey !== last.pairingKey)
    replaceFile(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`);
}

/** The configuration of a copy; `undefined` if there is none. */
export function readConfig(folder: string): ExtensionConfig | undefined {
  try {
    const config = JSON.parse(readFileSync(join(folder, CONFIG), "utf8")) as Partial<ExtensionConfig> | null;
    const { address, consolePort, relayPort } = config?.hub ?? {};
    if (typeof address !== "string" || !Number.isInteger(consolePort) || !Number.isInteger(relayPort))
      return undefined;
    return {
      hub: { address, consolePort: Number(consolePort), relayPort: Number(relayPort) },
      pairingKey: String(config?.pairingKey ?? ""),
      share: config?.share === "all" ? "all" : "chosen",
    };
  } catch {
    return undefined;
  }
}

/** Whether a copy has the files of this version. */
export function isCurrent(folder: string): boolean {
  const built = builtExtension();
  return filesOf(built).every((name) => isSame(join(built, name), join(folder, name)));
}

/** The folder that the build made. It has no pairing key. */
function builtExtension(): string {
  const manifest = fileURLToPath(import.meta.resolve("@debug-bridge/extension/unpacked/manifest.json"));
  if (existsSync(manifest)) return dirname(manifest);
  throw new BridgeError(
    "not_supported",
    `the extension is not built: ${manifest} does not exist; run npm run build`,
  );
}

function copyNewer(from: string, to: string): void {
  const names = new Set([...filesOf(from), CONFIG]);
  for (const name of readdirSync(to))
    if (!names.has(name)) rmSync(join(to, name), { recursive: true, force: true });
  for (const name of filesOf(from))
    if (!isSame(join(from, name), join(to, name)))
      writeFileSync(join(to, name), readFileSync(join(from, name)), { mode: 0o600 });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== CONFIG);
}

function isSame(a: string, b: string): boolean {
  return existsSync(b) && readFileSync(a).equals(readFileSync(b));
}

function runningHub(home: string): ExtensionConfig["hub"] | undefined {
  const [newest] = announcedHubs(home);
  return newest && addressOf(newest.ports);
}

function addressOf(ports: { readonly console: number; readonly relay: number }): ExtensionConfig["hub"] {
  return { address: "ws://127.0.0.1", consolePort: ports.console, relayPort: ports.relay };
}
