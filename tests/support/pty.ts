import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export interface Pty {
  /** Types on the terminal. */
  type(text: string): void;
  /** The terminal's lines as they stand now. */
  screen(): string[];
  /** Everything that was written to it, with escape sequences. */
  raw(): string;
  readonly code: Promise<number | null>;
}

/** Runs a program on a real terminal of a size, through `script` of util-linux. */
export function startPty(command: string, env: Record<string, string>, columns = 80, rows = 24): Pty {
  const sized = `stty cols ${columns} rows ${rows}; exec ${command}`;
  const child = spawn("sh", ["-c", 'exec script -qfec "$1" /dev/null', "sh", sized], {
    env: { ...process.env, TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  // A character may come in two pieces.
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (data) => {
    output += data;
  });
  return {
    type: (text) => child.stdin.write(text),
    screen: () => drawn(output, columns, rows),
    raw: () => output,
    code: new Promise((resolve) => child.on("close", resolve)),
  };
}

/** What a terminal shows after this output: enough of one for programs that redraw their lines. */
function drawn(output: string, columns: number, rows: number): string[] {
  let lines: string[][] = [[]];
  let [x, y] = [0, 0];
  const token = /\u001b\[([?\d;]*)([A-Za-z])|\u001b[=>78]|[^\u001b]/gsu;
  for (const [text, given, final] of output.matchAll(token)) {
    if (final !== undefined) {
      const count = Number(given?.split(";")[0]) || 0;
      if (final === "A") y = Math.max(0, y - Math.max(1, count));
      else if (final === "B") y += Math.max(1, count);
      else if (final === "G") x = Math.max(0, count - 1);
      else if (final === "H") [x, y] = [0, 0];
      else if (final === "K") lines[y] = count === 2 ? [] : (lines[y] ?? []).slice(0, x);
      else if (final === "J" && count === 0) lines = [...lines.slice(0, y), (lines[y] ?? []).slice(0, x)];
      else if (final === "J" || (final === "h" && given === "?1049")) lines = [[]];
      continue;
    }
    if (text.startsWith("\u001b")) continue;
    if (text === "\r") x = 0;
    else if (text === "\n") y++;
    else {
      while (lines.length <= y) lines.push([]);
      const line = lines[y] as string[];
      while (line.length < x) line.push(" ");
      line[x++] = text;
    }
    if (x > columns) x = columns;
    while (y >= rows) {
      lines.shift();
      y--;
    }
    while (lines.length <= y) lines.push([]);
  }
  return lines.map((line) => line.join("").trimEnd());
}
