import type { Point } from "@debug-bridge/page";
import type { TelemetryBody } from "@debug-bridge/page/records";
import {
  BridgeError,
  type Command,
  type CommandOutcome,
  errorFromBody,
  FIELD_LIMITS,
  type Target,
} from "@debug-bridge/protocol";
import type { ChainRecorder } from "../capture/chain.js";
import type { NetworkDetails, RunningRequests } from "../capture/network.js";
import type { TelemetryPipeline } from "../capture/telemetry-pipeline.js";
import type { CdpSession } from "../cdp.js";
import type { EngineLink } from "../engine/engine-link.js";
import type {
  Box,
  DriverReply,
  EngineConfig,
  FromPage,
  InputAction,
  PageReply,
} from "../engine/link-messages.js";
import type { PageNumbers } from "../engine/page-numbers.js";
import type { Documents } from "../navigation/documents.js";
import type { ForeignFrame, FrameHost } from "./foreign-frame.js";
import { FrameSessions } from "./frame-sessions.js";
import { Frames } from "./frames.js";

/** Records of a frame that belong to the page; a frame's vitals and trees are its own. */
const RECORDS: ReadonlySet<string> = new Set(["console", "error", "unhandledrejection", "network", "gap"]);

type UiTree = Extract<TelemetryBody, { type: "ui_tree" }>;

export interface PageFramesOptions {
  readonly cdp: CdpSession;
  readonly engine: EngineLink;
  readonly pipeline: TelemetryPipeline;
  readonly documents: Documents;
  readonly config: EngineConfig;
  readonly numbers: PageNumbers;
  readonly details: NetworkDetails;
  readonly running: RunningRequests;
  readonly chains: ChainRecorder;
  perform(action: InputAction): Promise<void>;
  emit(record: TelemetryBody): void;
}

/** The engines in frames of other origins: what they ask for and report, and how to call them. */
export class PageFrames {
  readonly frames: Frames;
  /** Elements of the frames, while a whole tree is sent. */
  items: UiTree["items"] = [];
  private readonly sessions: FrameSessions;
  private readonly main: FrameHost;

  constructor(private readonly options: PageFramesOptions) {
    const { cdp, engine, pipeline, documents, config, numbers, running, emit, details, chains } = options;
    this.frames = new Frames(() => documents.current);
    this.main = { cdp, engine, pipeline, around: undefined, frameIds: new Map() };
    const onMessage = this.onMessage.bind(this);
    this.sessions = new FrameSessions(this.frames, {
      ...{ config, numbers, details, running, chains, onMessage, emit },
    });
    this.frames.follow(this.main);
  }

  /** Attaches to the frames in other processes. Not every debugger can: those frames stay closed. */
  start(): Promise<void> {
    return this.sessions.follow(this.main).catch(() => {});
  }

  /** Handles a message of the page's session; false when it is about the page itself. */
  receive(message: FromPage, contextId: number): boolean {
    if (message.kind === "ready" ? message.isTop : !this.frames.inContext(this.main, contextId)) return false;
    this.onMessage(this.main, message, contextId);
    return true;
  }

  /** The page's own tree with the elements of the frames after it, when they were collected for it. */
  withItems(body: TelemetryBody): TelemetryBody {
    if (body.type !== "ui_tree" || this.items.length === 0) return body;
    const items = [...body.items, ...this.items].slice(0, FIELD_LIMITS.uiItems);
    const truncated = body.truncated === true || items.length < body.items.length + this.items.length;
    this.items = [];
    return { ...body, items, truncated };
  }

  flush(): Promise<void> {
    return this.sessions.flush();
  }

  async run(frame: ForeignFrame, command: Command, signal: AbortSignal): Promise<PageReply> {
    return frame.host.engine.run(frame.document, command, signal);
  }

  async look(frame: ForeignFrame, command: Command, signal: AbortSignal): Promise<CommandOutcome> {
    const { outcome, error } = await this.run(frame, command, signal);
    if (error) throw errorFromBody(error);
    return outcome ?? {};
  }

  /** The visible part of an element of a frame, in the viewport of the tab. */
  async boxIn({ host, document, ...frame }: ForeignFrame, target: Target): Promise<Box> {
    const box = await host.engine.call(document, "visibleBox", JSON.stringify(target));
    const { x, y, width, height } = JSON.parse(box) as Box;
    // Its middle shows whether something covers it; corners are often rounded or at the edge of the frame.
    const middle = { x: x + width / 2, y: y + height / 2 };
    const at = await this.frames.toTab({ host, document, ...frame }, middle);
    return { x: at.x - width / 2, y: at.y - height / 2, width, height };
  }

  private onMessage(host: FrameHost, message: FromPage, contextId: number): void {
    if (message.kind === "ready") {
      this.frames.arrived(host, contextId, message.url);
      return;
    }
    const frame = this.frames.inContext(host, contextId);
    if (!frame) return;
    switch (message.kind) {
      case "loaded":
        frame.document.loaded = true;
        this.frames.changed.notify();
        break;
      case "telemetry":
        if (message.body.type === "ui_tree") this.items.push(...message.body.items);
        else if (RECORDS.has(message.body.type)) this.options.emit(message.body);
        break;
      case "input":
        this.answer(frame, message.id, this.perform(frame, message.action));
        break;
      case "flush":
        this.answer(frame, message.id, Promise.all([this.flush(), this.options.pipeline.flush()]));
    }
  }

  /** Input of a frame, in the coordinates of the tab. */
  private async perform(frame: ForeignFrame, action: InputAction): Promise<void> {
    const toTab = (point: Point): Promise<Point> => this.frames.toTab(frame, point);
    if ("at" in action) return this.options.perform({ ...action, at: await toTab(action.at) });
    if (!("way" in action)) return this.options.perform(action);
    const way: Point[] = [];
    for (const point of action.way) way.push(await toTab(point));
    return this.options.perform({ ...action, way });
  }

  private answer(frame: ForeignFrame, id: number, work: Promise<unknown>): void {
    const reply = work.then(
      (): DriverReply => ({}),
      (thrown: unknown): DriverReply => ({ error: BridgeError.from(thrown).toBody() }),
    );
    void reply
      .then((body) => frame.host.engine.call(frame.document, "answer", id, JSON.stringify(body)))
      .catch(() => {});
  }
}
