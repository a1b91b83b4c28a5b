import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Correlator } from "@debug-bridge/protocol";
import type { CdpLink } from "./cdp-link.js";
import { FrameReader, frame } from "./frames.js";
import {
  CDP_FD,
  type ChildReply,
  type ChildRequest,
  CONTROL_FD,
  readFromChild,
  type ToChild,
} from "./messages.js";
import { startChild } from "./start-child.js";

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The process that holds Playwright and the state of scripts, with its requests and replies. */
export class CodeProcess {
  private readonly started = startChild();
  private readonly child = this.started.child;
  private readonly control = this.child.stdio[CONTROL_FD] as Duplex;
  private readonly cdp = this.child.stdio[CDP_FD] as Duplex;
  private readonly ended = once(this.child, "close").catch(() => {});
  private readonly waiting = new Correlator<ChildReply>();
  private nextId = 1;
  private failed = false;
  private onLine: (line: string) => void = () => {};

  /** `onExit` is called once, as soon as the process is of no more use. */
  constructor(private readonly onExit: () => void) {
    this.listen(this.control, (text) => {
      const message = readFromChild(text);
      if (message?.type === "line") this.onLine(message.line);
      else if (message?.type === "reply") this.waiting.settle(message.id, message);
      else this.fail(message?.error ?? "the code sent a message that cannot be read");
    });
    this.child.once("error", (error) => this.fail(error.message));
    this.child.once("close", () => this.fail("the process of the code was ended"));
  }

  /** The only folder where the process may write. */
  get scratch(): string {
    return this.started.scratch;
  }

  /** Joins the process to a Chrome. It reaches this Chrome only, and only through this pipe. */
  join(link: CdpLink): void {
    this.listen(this.cdp, (text) => link.send(text));
    link.onMessage((text) => {
      if (this.cdp.write(frame(text))) return;
      link.pause();
      this.cdp.once("drain", () => link.resume());
    });
    link.onClose(() => this.cdp.end());
    this.child.once("close", () => link.close());
  }

  /** Sends a request and waits for its reply. `onLine` gets what the code prints meanwhile. */
  request(
    request: ChildRequest,
    timeoutMs: number,
    onLine: (line: string) => void = () => {},
  ): Promise<ChildReply> {
    const id = String(this.nextId++);
    const reply = this.waiting.open(id, { timeoutMs });
    this.onLine = onLine;
    if (this.waiting.has(id)) this.control.write(frame(JSON.stringify({ ...request, id } satisfies ToChild)));
    return reply;
  }

  async end(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  private listen(pipe: Duplex, onFrame: (text: string) => void): void {
    const reader = new FrameReader(MAX_MESSAGE_BYTES);
    pipe.on("data", (chunk: Buffer) => {
      if (this.failed) return;
      try {
        for (const text of reader.push(chunk)) onFrame(text);
      } catch (thrown) {
        this.fail((thrown as Error).message);
      }
    });
    // The process has ended; its exit is reported.
    pipe.on("error", () => {});
  }

  private fail(reason: string): void {
    if (this.failed) return;
    this.failed = true;
    this.waiting.lose(reason);
    this.child.kill("SIGKILL");
    this.onExit();
  }
}
