import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BridgeError } from "@debug-bridge/protocol";

const MAX_HEAP_MB = 1_024;

export interface StartedChild {
  readonly child: ChildProcess;
  /** The only folder where it may write. */
  readonly scratch: string;
}

/**
 * Starts the process that runs the code of `execute`. Node's permission model keeps it from files outside a scratch
 * folder, from processes, threads and native add-ons; it gets none of our environment. The scratch folder goes with it.
 */
export function startChild(): StartedChild {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "debug-bridge-execute-")));
  const playwright = realpathSync(createRequire(import.meta.url).resolve("playwright-core"));
  const folder = realpathSync(fileURLToPath(new URL(".", import.meta.url)));
  // Node looks there for the type of its modules.
  const manifest = join(dirname(dirname(folder)), "package.json");
  const readable = [`${dirname(playwright)}${sep}*`, join(folder, "*"), manifest, join(scratch, "*")];
  const child = spawn(
    process.execPath,
    [...permissionFlags(readable, [join(scratch, "*")]), join(folder, "child", "main.js"), playwright],
    {
      cwd: scratch,
      env: environment(scratch),
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      windowsHide: true,
    },
  );
  child.once("close", () => rmSync(scratch, { recursive: true, force: true }));
  return { child, scratch };
}

function permissionFlags(readable: readonly string[], writable: readonly string[]): string[] {
  for (const path of readable) {
    // In a flag, these would open other folders.
    if (/[*,]/.test(path.slice(0, -1)))
      throw new BridgeError(
        "not_supported",
        `execute does not work in a folder with * or , in its path: ${path}`,
      );
  }
  const known = process.allowedNodeEnvironmentFlags;
  return [
    known.has("--permission") ? "--permission" : "--experimental-permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
    // From Node 25 on the network is closed too, unless it is asked for.
    ...(known.has("--allow-net") ? ["--allow-net"] : []),
    "--no-warnings",
    `--max-old-space-size=${MAX_HEAP_MB}`,
  ];
}

/** Only what the system needs to start a program, and where temporary files go. */
function environment(scratch: string): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return {
    ...{ TMPDIR: scratch, TEMP: scratch, TMP: scratch },
    ...(process.platform === "win32" && SystemRoot ? { SystemRoot } : {}),
  };
}
