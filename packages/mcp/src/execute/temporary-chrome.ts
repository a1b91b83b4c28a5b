import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { CdpLink } from "./cdp-link.js";
import { FrameReader, frame } from "./frames.js";
import { refusalInTemporary } from "./temporary-rules.js";

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 5_000;

export interface TemporaryOptions {
  readonly executablePath: string;
  readonly args: readonly string[];
}

/**
 * A Chrome with a temporary profile that ends with this process: it listens on a pipe and on no port, so that nothing
 * else can reach it. Each connection starts a new one.
 */
export class TemporaryChrome implements CdpLink {
  private readonly profile = mkdtempSync(join(tmpdir(), "debug-bridge-execute-chrome-"));
  private readonly chrome: ChildProcess;
  private readonly input: Writable;
  private readonly output: Readable;
  private readonly ended: Promise<unknown>;
  private onText: (text: string) => void = () => {};

  /** `scratch`: the only folder whose files the code may use. */
  constructor(
    { executablePath, args }: TemporaryOptions,
    private readonly scratch: string,
  ) {
    this.chrome = spawn(
      executablePath,
      [...args, "--remote-debugging-pipe", `--user-data-dir=${this.profile}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    this.input = this.chrome.stdio[3] as Writable;
    this.output = this.chrome.stdio[4] as Readable;
    this.input.on("error", () => {});
    // Not "close": a process that Chrome started may keep the pipe open for longer.
    this.ended = once(this.chrome, "exit")
      .catch(() => {})
      .then(() => rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  }

  send(text: string): void {
    const refused = this.refusal(text);
    if (refused === undefined) this.input.write(frame(text));
    else this.onText(refused);
  }

  onMessage(listener: (text: string) => void): void {
    this.onText = listener;
    const reader = new FrameReader(MAX_MESSAGE_BYTES);
    this.output.on("data", (chunk: Buffer) => {
      for (const text of reader.push(chunk)) listener(text);
    });
  }

  onClose(listener: () => void): void {
    void this.ended.then(listener);
  }

  pause(): void {
    this.output.pause();
  }

  resume(): void {
    this.output.resume();
  }

  /** Chrome ends all its processes when the pipe is closed; one that does not is killed. */
  close(): void {
    this.input.end();
    const timer = setTimeout(() => this.chrome.kill("SIGKILL"), CLOSE_TIMEOUT_MS);
    void this.ended.then(() => clearTimeout(timer));
  }

  /** Resolves when the browser and its profile are gone. */
  async closed(): Promise<void> {
    this.close();
    await this.ended;
  }

  /** The answer to a command that is not passed on. */
  private refusal(text: string): string | undefined {
    const { id, sessionId, method, params } = JSON.parse(text) as Record<string, unknown>;
    const message = refusalInTemporary(
      String(method),
      (params ?? {}) as Record<string, unknown>,
      this.scratch,
    );
    return message === undefined
      ? undefined
      : JSON.stringify({
          id,
          ...(sessionId === undefined ? {} : { sessionId }),
          error: { code: -32_000, message },
        });
  }
}
