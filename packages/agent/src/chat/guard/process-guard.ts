import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { processStart } from "@debug-bridge/journal";

const PROGRAM = fileURLToPath(new URL("./guard-program.js", import.meta.url));
/** What the tools need that list and end processes. */
const KEPT = ["PATH", "SystemRoot", "windir"] as const;

/**
 * Ends the programs of agents when this process ends in whatever way. A separate process waits for the end of a pipe,
 * which the system closes even when this process is killed.
 */
class ProcessGuard {
  private readonly watched = new Map<number, string>();
  private child: ChildProcess | undefined;

  /** All that the program starts has the mark in its environment. Returns a function that ends the watch; to be called once the program has ended. */
  watch(pid: number, mark: string): () => void {
    const line = `+${pid} ${processStart(pid) ?? ""} ${mark}\n`;
    this.watched.set(pid, line);
    if (this.child) this.send(line);
    else this.start();
    return () => {
      this.watched.delete(pid);
      this.send(`-${pid}\n`);
    };
  }

  private start(): void {
    const env = Object.fromEntries(
      KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child = spawn(process.execPath, [PROGRAM], {
      stdio: ["pipe", "ignore", "ignore"],
      // What ends the group of this process must not end it.
      detached: true,
      windowsHide: true,
      env,
    });
    this.child = child;
    const onGone = (): void => {
      if (this.child === child) this.child = undefined;
    };
    child.once("error", onGone);
    child.once("exit", onGone);
    child.stdin.on("error", onGone);
    // It does not keep this process alive.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    for (const line of this.watched.values()) this.send(line);
  }

  private send(line: string): void {
    if (this.child?.stdin?.writable) this.child.stdin.write(line);
  }
}

export const processGuard = new ProcessGuard();
