import { readFileSync } from "node:fs";

const SHELLS = /(^|\/|-)(sh|bash|dash|zsh|fish|ash|ksh|busybox|cmd\.exe|env|timeout)$/;
const MAX_STEPS = 5;

/** The process of the agent that ran a hook: the nearest ancestor that is not a shell. */
export function hookOwner(pid = process.ppid): number {
  let at = pid;
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = lookUp(at);
    if (!found || found.parent <= 1 || !SHELLS.test(found.name)) return at;
    at = found.parent;
  }
  return at;
}

function lookUp(pid: number): { name: string; parent: number } | undefined {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      return {
        name: stat.slice(stat.indexOf("(") + 1, end),
        parent: Number(stat.slice(end + 2).split(" ")[1]),
      };
    }
    if (process.platform === "win32") return undefined;
    // Loaded only when needed, because an agent waits for every hook.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    const [parent = "", ...name] = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
      encoding: "utf8",
    })
      .trim()
      .split(/\s+/);
    return { name: name.join(" "), parent: Number(parent) };
  } catch {
    return undefined;
  }
}
