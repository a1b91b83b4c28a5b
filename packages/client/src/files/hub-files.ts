import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./replace-file.js";

/** What a running hub writes to `hubs/<pid>.json` in its home. */
export interface HubFile {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  readonly pid: number;
  readonly ports: { readonly hub: number; readonly console: number; readonly relay: number };
  readonly startedAt: string;
  readonly version: string;
  /** The address for CDP clients, token included. Absent if the hub does not offer it. */
  readonly cdpUrl?: string;
}

export type HubDescription = Omit<HubFile, "pid" | "startedAt">;

/** Hubs that started in the same millisecond still have an order. */
let lastStart = 0;

export interface HubAnnouncement {
  /** Announces another address for CDP clients, because the token was replaced. */
  update(cdpUrl: string | undefined): void;
  /** Removes the announcement; `cdp-url` then points to the newest hub that is left. */
  withdraw(): void;
}

/**
 * Announces a running hub in its home, and makes it the one that `cdp-url` points to. Several hubs can share a home:
 * each has its own file.
 */
export function announceHub(home: string, hub: HubDescription): HubAnnouncement {
  const folder = hubsFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = freePath(folder);
  lastStart = Math.max(Date.now(), lastStart + 1);
  const file: HubFile = {
    ...hub,
    url: localUrl(hub.url),
    pid: process.pid,
    startedAt: new Date(lastStart).toISOString(),
  };
  const write = (content: HubFile): void => {
    replaceFile(path, `${JSON.stringify(content)}\n`);
    if (hub.cdpUrl !== undefined) pointCdpUrl(home);
  };
  write(file);
  return {
    update: (cdpUrl) => write({ ...file, ...(cdpUrl === undefined ? {} : { cdpUrl }) }),
    withdraw() {
      ownFiles.delete(path);
      removeQuietly(path);
      if (hub.cdpUrl !== undefined) pointCdpUrl(home);
    },
  };
}

/** The hubs of a home whose processes are alive, newest first. Files of dead processes are removed. */
export function announcedHubs(home: string): HubFile[] {
  const folder = hubsFolder(home);
  const hubs: HubFile[] = [];
  for (const name of fileNames(folder)) {
    const pid = Number(/^(\d+)(?:-\d+)?\.json$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || pid <= 0) continue;
    const path = join(folder, name);
    if (!isAlive(pid)) {
      removeQuietly(path);
      continue;
    }
    const file = readHubFile(path);
    if (file?.pid === pid) hubs.push(file);
  }
  return hubs.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** The address for CDP clients of the newest hub of a home that has one. */
export function cdpUrlOf(home: string): string | undefined {
  return announcedHubs(home).find(({ cdpUrl }) => cdpUrl !== undefined)?.cdpUrl;
}

function hubsFolder(home: string): string {
  return join(home, "hubs");
}

/** `<pid>.json`; a process with several hubs numbers the others. A file left by a dead process with our id is replaced. */
function freePath(folder: string): string {
  for (let n = 1; ; n++) {
    const path = join(folder, `${process.pid}${n === 1 ? "" : `-${n}`}.json`);
    if (ownFiles.has(path)) continue;
    ownFiles.add(path);
    return path;
  }
}

/** The files of hubs that run in this process. */
const ownFiles = new Set<string>();

function pointCdpUrl(home: string): void {
  const path = join(home, "cdp-url");
  const url = cdpUrlOf(home);
  try {
    if (url === undefined) rmSync(path, { force: true });
    else replaceFile(path, `${url}\n`);
  } catch {
    // The home is gone or read-only; the hub itself still works.
  }
}

function readHubFile(path: string): HubFile | undefined {
  try {
    const file = JSON.parse(readFileSync(path, "utf8")) as HubFile | null;
    const isRight = typeof file?.url === "string" && URL.canParse(file.url) && typeof file.pid === "number";
    return isRight ? { ...file, startedAt: String(file.startedAt) } : undefined;
  } catch {
    return undefined;
  }
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A home that cannot be written can still be read.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists and belongs to someone else.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** On this machine, a hub that listens on all addresses is reached over loopback. */
function localUrl(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, "//127.0.0.1");
}
