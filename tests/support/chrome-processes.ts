import { execFileSync } from "node:child_process";

/** The processes whose command line has this text: those of Chromes whose profiles are below a folder of one test. */
function processesWith(text: string): number[] {
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,stat=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, state = ""] = /^\s*(\d+)\s+(\S+)/.exec(line) ?? [];
    // One that has ended and that nobody has asked about yet runs no more.
    return pid !== undefined && !state.startsWith("Z") && line.includes(text) && !line.includes("ps -axww")
      ? [Number(pid)]
      : [];
  });
}

/** Those that are the browser itself, and not one of its helpers. */
export function browsersWith(text: string): number[] {
  const helpers = new Set(processesWith("--type="));
  return processesWith(text).filter((pid) => !helpers.has(pid));
}
