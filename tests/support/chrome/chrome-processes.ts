import { execFileSync } from "node:child_process";

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes of one moment. */
function listProcesses(): Listed[] {
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,ppid=,stat=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, parent, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s(.*)/.exec(line) ?? [];
    // One that has ended and that nobody has asked about yet runs no more.
    return pid !== undefined && !state.startsWith("Z") && !command.startsWith("ps -axww")
      ? [{ pid: Number(pid), parent: Number(parent), command }]
      : [];
  });
}

/**
 * The Chromes whose command line has this text, such as the folder of their profiles: the browsers themselves, and not their helpers.
 * With `parents`, only those that one of these processes has started: a Chrome whose hub was killed is about to end.
 */
export function browsersWith(text: string, parents?: readonly number[]): number[] {
  return listProcesses()
    .filter(({ command }) => command.includes(text) && !command.includes("--type="))
    .filter(({ parent }) => parents?.includes(parent) ?? true)
    .map(({ pid }) => pid);
}
