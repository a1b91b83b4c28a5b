import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The words with which this program is started again, from any folder. */
export function thisProgram(): [string, ...string[]] {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}

/** A file that agents load or run themselves. */
export function fileInBin(name: string): string {
  return fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
}

/** How the hooks of an agent start this program. */
export interface HookProgram {
  readonly always: string;
  /** Through a shell script, which starts it only when there is something to decide. */
  readonly ifNeeded: string;
}

export function hookProgram(): HookProgram {
  const always = thisProgram()
    .map((path) => `"${path}"`)
    .join(" ");
  const script = fileInBin("hook.sh");
  return { always, ifNeeded: process.platform === "win32" ? always : `exec sh "${script}" ${always}` };
}
