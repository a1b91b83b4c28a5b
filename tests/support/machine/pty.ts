import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export interface Pty {
  /** Types on the terminal. */
  type(text: string): void;
  /** The current lines of the terminal. */
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
  const screen = new Screen(columns, rows);
  // A character may come in two pieces.
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (data: string) => {
    output += data;
    screen.write(data);
  });
  return {
    type: (text) => child.stdin.write(text),
    screen: () => screen.lines(),
    raw: () => output,
    code: new Promise((resolve) => child.on("close", resolve)),
  };
}

/**
 * The lines of a terminal, enough of one for programs that redraw their lines. It reads each part of the output once:
 * tests ask for the screen all the time, and the output grows.
 */
class Screen {
  private cells: string[][] = [[]];
  private x = 0;
  private y = 0;
  private incomplete = "";

  constructor(
    private readonly columns: number,
    private readonly rows: number,
  ) {}

  lines(): string[] {
    return this.cells.map((line) => line.join("").trimEnd());
  }

  write(output: string): void {
    const text = this.incomplete + output;
    // An escape sequence may come in two pieces.
    const end = /\u001b(?:\[[?\d;]*)?$/.exec(text)?.index ?? text.length;
    this.incomplete = text.slice(end);
    const token = /\u001b\[([?\d;]*)([A-Za-z])|\u001b[=>78]|[^\u001b]/gsu;
    for (const [part, given, final] of text.slice(0, end).matchAll(token)) {
      if (final !== undefined) this.control(given ?? "", final);
      else if (!part.startsWith("\u001b")) this.print(part);
    }
  }

  private control(given: string, final: string): void {
    const count = Number(given.split(";")[0]) || 0;
    const rest = (): string[] => (this.cells[this.y] ?? []).slice(0, this.x);
    if (final === "A") this.y = Math.max(0, this.y - Math.max(1, count));
    else if (final === "B") this.y += Math.max(1, count);
    else if (final === "G") this.x = Math.max(0, count - 1);
    else if (final === "H") [this.x, this.y] = [0, 0];
    else if (final === "K") this.cells[this.y] = count === 2 ? [] : rest();
    else if (final === "J" && count === 0) this.cells = [...this.cells.slice(0, this.y), rest()];
    else if (final === "J" || (final === "h" && given === "?1049")) this.cells = [[]];
  }

  private print(character: string): void {
    if (character === "\r") this.x = 0;
    else if (character === "\n") this.y++;
    else {
      this.fill();
      const line = this.cells[this.y] as string[];
      while (line.length < this.x) line.push(" ");
      line[this.x++] = character;
    }
    this.x = Math.min(this.x, this.columns);
    while (this.y >= this.rows) {
      this.cells.shift();
      this.y--;
    }
    this.fill();
  }

  private fill(): void {
    while (this.cells.length <= this.y) this.cells.push([]);
  }
}
