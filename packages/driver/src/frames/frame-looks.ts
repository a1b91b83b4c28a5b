import type { Command, CommandOf, CommandOutcome, Target } from "@debug-bridge/protocol";
import type { EngineLink } from "../engine/engine-link.js";
import type { LiveDocument } from "../navigation/documents.js";
import { CombinedView } from "./combined-view.js";
import { findAmongFrames } from "./find-among-frames.js";
import type { ForeignFrame } from "./foreign-frame.js";
import { inTime } from "./in-time.js";
import type { PageFrames } from "./page-frames.js";
import { frameFor } from "./route.js";

/** How often a wait checks for frames that came meanwhile, when nothing reports them. */
const CHECK_MS = 1_000;
/** For looks that end by themselves. */
const NEVER = new AbortController().signal;

interface Page {
  readonly engine: EngineLink;
  /** The document of the page, once there is one. */
  ready(): Promise<LiveDocument>;
  look(command: Command, signal: AbortSignal): Promise<CommandOutcome>;
}

/** Looks at a page and at the frames of other origins in it, as if they were one. */
export class FrameLooks {
  private readonly view: CombinedView;

  constructor(
    private readonly pageFrames: PageFrames,
    private readonly page: Page,
  ) {
    this.view = new CombinedView(pageFrames.frames, (frame, command) => {
      const looked = this.lookIn(frame, command, NEVER);
      return frame ? inTime(looked) : looked;
    });
  }

  async look(command: Command, signal: AbortSignal): Promise<CommandOutcome> {
    const { frames } = this.pageFrames;
    if (command.type === "wait_for") return this.wait(command, signal);
    if (command.type === "find") return this.find(command, signal);
    if (command.type === "highlight") return this.lookIn(await this.frameFor(command), command, signal);
    const isTree = command.type === "request_ui_tree";
    if (!isTree && command.type !== "request_dom_snapshot") return this.page.look(command, signal);
    const frame = await this.frameFor(command);
    const isText = isTree && command.format === "text" && command.source !== "component";
    if (isText && (frame || frames.all.length > 0)) return this.view.observe(command, frame);
    if (isTree && !frame && command.since === undefined) await this.collectItems(command, signal);
    return this.lookIn(frame, command, signal);
  }

  private async find(command: CommandOf<"find">, signal: AbortSignal): Promise<CommandOutcome> {
    const frame = await this.frameFor(command);
    const { target, ...everywhere } = command;
    if (frame) return this.lookIn(frame, target?.ref === frame.name ? everywhere : command, signal);
    const { all } = this.pageFrames.frames;
    if (target || all.length === 0) return this.page.look(command, signal);
    return findAmongFrames(command, all, (each, search) => this.lookIn(each, search, signal));
  }

  /** The frame that a command is about; `undefined` for the page itself. */
  async frameFor(command: Command): Promise<ForeignFrame | undefined> {
    const { frames } = this.pageFrames;
    const { target, source } = command as { target?: Target; source?: Target };
    const named = [target, source].some((each) => each?.ref?.startsWith("f") === true);
    if (frames.all.length === 0 && !named) return undefined;
    return frameFor(frames, { engine: this.page.engine, document: await this.page.ready() }, command);
  }

  private lookIn(
    frame: ForeignFrame | undefined,
    command: Command,
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    return frame ? this.pageFrames.look(frame, command, signal) : this.page.look(command, signal);
  }

  /** Collects the elements of the frames, for the tree that the page sends next. */
  private async collectItems(command: Command, signal: AbortSignal): Promise<void> {
    this.pageFrames.items = [];
    const { all } = this.pageFrames.frames;
    await Promise.allSettled(all.map((frame) => inTime(this.pageFrames.look(frame, command, signal))));
  }

  private wait(command: CommandOf<"wait_for">, signal: AbortSignal): Promise<CommandOutcome> {
    const { frames } = this.pageFrames;
    const byRef = command.target && frames.ofRef(command.target);
    if (byRef) return this.pageFrames.look(byRef, command, signal);
    if (!command.target && command.text === undefined) return this.page.look(command, signal);
    const isGone = command.state === "hidden" || command.state === "detached";
    if (!isGone) return this.waitForOne(command, signal);
    const waits = [undefined, ...frames.all].map((frame) => this.lookIn(frame, command, signal));
    return Promise.all(waits).then(([outcome = {}]) => outcome);
  }

  /** Waits in the page and in all frames, those that come meanwhile included, until it is true in one of them. */
  private waitForOne(command: Command, signal: AbortSignal): Promise<CommandOutcome> {
    const { frames } = this.pageFrames;
    const end = new AbortController();
    const both = AbortSignal.any([signal, end.signal]);
    const started = new Set<ForeignFrame>();
    return new Promise<CommandOutcome>((resolve, reject) => {
      // How long to wait is up to the page; a frame that goes away ends nothing.
      this.page.look(command, both).then(resolve, reject);
      const follow = async (): Promise<void> => {
        while (!end.signal.aborted) {
          for (const frame of frames.all.filter((each) => !started.has(each))) {
            started.add(frame);
            this.pageFrames.look(frame, command, both).then(resolve, () => {});
          }
          await frames.changed.wait(CHECK_MS);
        }
      };
      void follow();
    }).finally(() => {
      end.abort();
      frames.changed.notify();
    });
  }
}
