import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { homeFolder } from "@debug-bridge/client/files";
import { BridgeError } from "@debug-bridge/protocol";
import { isOwnProfile } from "./own-profiles.js";

const LOCKS = ["SingletonLock", "SingletonSocket", "SingletonCookie"];
const OWNER_FILE = "debug-bridge-runner.json";

/** A profile that a browser may be launched with. */
export interface Profile {
  readonly folder: string;
  /** Deleted when the browser is closed. */
  readonly temporary: boolean;
  /** What had to be done to get it, for the logs. */
  readonly notes: readonly string[];
}

export interface ProfileOptions {
  readonly home?: string | undefined;
  /** The project's folder. The profile is named after it. */
  readonly project?: string | undefined;
  readonly userDataDir?: string | undefined;
  readonly tempProfile?: boolean | undefined;
}

/** Readable, and different for two projects of the same name. */
function projectName(project: string): string {
  const path = resolve(project);
  const name =
    basename(path)
      .replace(/[^\w.-]+/g, "-")
      .slice(0, 60) || "root";
  return `${name}-${createHash("sha256").update(path).digest("hex").slice(0, 8)}`;
}

/** Where the state of a project is kept. */
export function projectFolder({ home, project = process.cwd() }: ProfileOptions): string {
  return join(homeFolder(home), "projects", projectName(project));
}

/** Where the browser of a project keeps its cookies and logins. */
export function profileFolder(options: ProfileOptions): string {
  return join(projectFolder(options), "browser");
}

/** A free profile: the project's own, or a temporary one if that is asked for or another Chrome uses the project's. */
export function acquireProfile(options: ProfileOptions): Profile {
  if (options.tempProfile) return temporaryProfile([]);
  const folder = options.userDataDir ?? profileFolder(options);
  refuseOwnProfile(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holder = readLock(folder);
  if (!holder) return { folder, temporary: false, notes: [] };
  if (!holder.alive) {
    removeLocks(folder);
    return {
      folder,
      temporary: false,
      notes: [`removed the stale lock of process ${holder.pid} from ${folder}`],
    };
  }
  if (isAbandoned(folder, holder.pid)) {
    endProcess(holder.pid);
    removeLocks(folder);
    return { folder, temporary: false, notes: [`ended Chrome ${holder.pid}, whose runner is gone`] };
  }
  return temporaryProfile([
    `the profile ${folder} is in use by process ${holder.pid}; using a temporary one`,
  ]);
}

/** Records which runner a profile and its Chrome belong to, so that another runner can end them if this one dies. */
export function markOwner({ folder }: Pick<Profile, "folder">, chromePid?: number): void {
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ runner: process.pid, chrome: chromePid }));
}

/** Releases a profile after its browser has ended. */
export function releaseProfile({ folder, temporary }: Profile): void {
  rmSync(temporary ? folder : join(folder, OWNER_FILE), {
    recursive: true,
    force: true,
    maxRetries: 5,
    retryDelay: 50,
  });
}

const TEMPORARY = "debug-bridge-profile-";

function temporaryProfile(notes: readonly string[]): Profile {
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), TEMPORARY));
  // At once: a runner may be killed while Chrome launches.
  markOwner({ folder });
  return { folder, temporary: true, notes };
}

/** Removes the temporary profiles of runners that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(TEMPORARY))) {
    const folder = join(tmpdir(), name);
    const holder = readLock(folder);
    if (isAbandoned(folder) && !holder?.alive) rmSync(folder, { recursive: true, force: true });
  }
}

/** A person's own profile holds their logins, and is never used. */
function refuseOwnProfile(folder: string): void {
  if (isOwnProfile(folder)) {
    throw new BridgeError(
      "not_supported",
      `userDataDir: ${folder} is the profile of a browser of yours, which the runner never uses; leave out userDataDir, or use another folder`,
      { field: "userDataDir" },
    );
  }
}

interface Holder {
  readonly pid: number;
  readonly alive: boolean;
}

/** Chrome's lock is a link to `HOST-PID`. A process of another host counts as alive, since it cannot be checked. */
function readLock(folder: string): Holder | undefined {
  const path = join(folder, "SingletonLock");
  try {
    lstatSync(path);
  } catch {
    return undefined;
  }
  let target = "";
  try {
    target = readlinkSync(path);
  } catch {
    return { pid: 0, alive: false };
  }
  const found = /^(.*)-(\d+)$/.exec(target);
  if (!found) return { pid: 0, alive: false };
  const pid = Number(found[2]);
  return { pid, alive: found[1] !== hostname() || isChromeProcess(pid) };
}

function isChromeProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  try {
    // The id of a process that ended may belong to another program by now.
    return /chrom/i.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    return false;
  }
}

/** Whether the runner of this profile has ended, and, when `chromePid` is given, whether it had launched that Chrome. */
function isAbandoned(folder: string, chromePid?: number): boolean {
  try {
    const owner = JSON.parse(readFileSync(join(folder, OWNER_FILE), "utf8")) as {
      runner: number;
      chrome: number;
    };
    if (chromePid !== undefined && owner.chrome !== chromePid) return false;
    process.kill(owner.runner, 0);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

function removeLocks(folder: string): void {
  for (const lock of LOCKS) rmSync(join(folder, lock), { force: true });
}
