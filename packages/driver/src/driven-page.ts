import { randomUUID } from "node:crypto";
import { Activity, type TelemetryBody } from "@debug-bridge/page/records";
import {
  BridgeError,
  type Command,
  type CommandInput,
  type CommandOf,
  type CommandOutcome,
  errorFromBody,
  LOOKING_COMMANDS,
  type Settle,
  type Target,
  type Transport,
} from "@debug-bridge/protocol";
import { AppLink } from "./app-link.js";
import { capabilities } from "./capabilities.js";
import { captureBrowserLog } from "./capture/browser-log.js";
import { ChainRecorder } from "./capture/chain.js";
import { captureConsole } from "./capture/console.js";
import { Dialogs } from "./capture/dialogs.js";
import { captureErrors } from "./capture/errors.js";
import { captureNetwork, type NetworkDetails, type RunningRequests } from "./capture/network.js";
import { TelemetryPipeline } from "./capture/telemetry-pipeline.js";
import type { CdpSession } from "./cdp.js";
import { OutsideEffects } from "./effects/outside-effects.js";
import { DocumentGone, EngineLink } from "./engine/engine-link.js";
import type { DriverReply, FromPage, InPageApi, InputAction } from "./engine/link-messages.js";
import { MainWorld } from "./engine/main-world.js";
import { PageNumbers } from "./engine/page-numbers.js";
import { actAmongFrames, actInFrame } from "./frames/act-among-frames.js";
import type { ForeignFrame } from "./frames/foreign-frame.js";
import { FrameLooks } from "./frames/frame-looks.js";
import { PageFrames } from "./frames/page-frames.js";
import { withContents } from "./input/local-files.js";
import { TrustedInput } from "./input/trusted-input.js";
import { Documents } from "./navigation/documents.js";
import { followNavigation, type NavigationContext, navigateTo, receiptAfter } from "./navigation/navigate.js";
import type { ConnectOptions, DriveOptions } from "./options.js";
import { withPicture } from "./pictures/picked-picture.js";
import { Screencast } from "./pictures/screencast.js";
import { PageRecording } from "./recording/page-recording.js";
import { takeScreenshot } from "./screenshot.js";

const BINDING = "debugBridgeSend";
const READY_TIMEOUT_MS = 10_000;
const LOOKING: ReadonlySet<string> = new Set(LOOKING_COMMANDS);
const POINTING: ReadonlySet<string> = new Set(["highlight", "pick"]);

/**
 * A page over CDP, with the page engine in it: the same tree, refs, receipts and records as an app that embeds the SDK,
 * with trusted input and with the browser's own events instead of hooks.
 *
 * @example
 * const page = await drivePage(fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone)));
 * const { receipt } = await page.run({ type: "click", target: { text: "Save" } });
 */
export class DrivenPage {
  private readonly documents: Documents;
  private readonly engine: EngineLink;
  private readonly input: TrustedInput;
  private readonly mainWorld: MainWorld;
  private readonly pipeline: TelemetryPipeline;
  private readonly dialogs: Dialogs;
  readonly activity = new Activity();
  private readonly listeners = new Set<(record: TelemetryBody) => void>();
  private readonly navigation: NavigationContext;
  private readonly frames: PageFrames;
  private readonly looks: FrameLooks;
  private readonly running: RunningRequests = new Map();
  private readonly effects: OutsideEffects;
  private readonly screencast: Screencast;
  private readonly details: NetworkDetails;
  private readonly recording: PageRecording;
  private readonly chains = new ChainRecorder();
  private link: AppLink | undefined;
  private shown: { url: string; title: string } | undefined;
  private userAgent = "";

  constructor(
    private readonly cdp: CdpSession,
    private readonly options: DriveOptions,
  ) {
    this.pipeline = new TelemetryPipeline({
      sendToPage: (records) => this.sendToPage(records),
      emit: (record) => this.emit(record),
    });
    this.effects = new OutsideEffects(cdp, options);
    this.screencast = new Screencast(cdp, (picture) => this.link?.send(picture));
    this.details = { captureBodies: options.captureBodies === true };
    this.recording = new PageRecording(cdp, this.details, options.seedRandom === true);
    this.dialogs = new Dialogs(cdp, this.pipeline, options.dialogs !== "own");
    this.documents = new Documents(cdp, {
      onNavigated: (from, to, kind) => this.pipeline.add({ type: "navigation", from, to, kind }),
      onLeft: ({ contextId }, error) => this.engine.abandon(contextId, error),
    });
    const channel = `debug-bridge-${randomUUID()}`;
    const config = { binding: BINDING, enableEval: options.enableEval === true, channel };
    const { numbers = new PageNumbers() } = options;
    this.engine = new EngineLink(cdp, config, numbers, (message, id) => {
      if (!this.frames.receive(message, id)) this.onMessage(message, id);
    });
    this.input = new TrustedInput(cdp);
    const { engine, pipeline, documents, running, chains } = this;
    this.frames = new PageFrames({
      ...{ cdp, engine, pipeline, documents, config, numbers, running, chains },
      details: this.details,
      perform: (action) => this.perform(action),
      emit: (record) => this.emit(record),
    });
    this.looks = new FrameLooks(this.frames, {
      engine,
      ready: () => documents.ready(READY_TIMEOUT_MS),
      look: (command, signal) => this.runInPage(command, signal),
    });
    this.mainWorld = new MainWorld(cdp, this.documents, channel);
    this.navigation = {
      cdp,
      documents: this.documents,
      activity: this.activity,
      stayed: (document) => this.engine.call(document, "stay"),
      quiet: (document, maxMs) => this.engine.call(document, "settle", maxMs),
      recorded: () => this.recorded(),
      allowFiles: options.allowFiles === true,
    };
  }

  /** Adds listeners before it enables the domains, so that nothing of the first document is missed. */
  async start(): Promise<void> {
    const { cdp, pipeline, options } = this;
    this.documents.listen();
    // Pending requests get their reply before the hub learns that the page is gone.
    cdp.onClose(() => setImmediate(() => this.disconnect()));
    const { running, chains } = this;
    captureConsole(cdp, pipeline, this.mainWorld, chains);
    captureErrors(cdp, pipeline, this.mainWorld, chains);
    captureBrowserLog(cdp, pipeline);
    captureNetwork(cdp, pipeline, {
      ...{ details: this.details, running, chains },
      isOwn: (fragment) => this.engine.ownMarks.delete(fragment),
    });
    this.dialogs.listen();
    // All at once: the browser takes them in this order.
    await Promise.all([
      cdp.send("Page.enable"),
      cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }).catch(() => {}),
      this.documents.readFrame(),
      cdp.send("Runtime.enable"),
      chains.follow(cdp),
      cdp.send("Network.enable", { maxPostDataSize: 65_536 }),
      cdp.send("Log.enable"),
      cdp.send("Inspector.enable").catch(() => {}),
      // A page in the background acts as one that is looked at, and no window has to be raised for it.
      cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true }).catch(() => {}),
      cdp
        .send<{ userAgent: string }>("Browser.getVersion")
        .then(({ userAgent }) => {
          this.userAgent = userAgent;
        })
        .catch(() => {}),
      this.engine.inject(options.fresh === true),
      this.frames.start(),
    ]);
  }

  get url(): string {
    return this.documents.url;
  }

  /** Calls the listener with every record of the page, masked. Returns how to stop. */
  onTelemetry(listener: (record: TelemetryBody) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when listeners have received every event that the browser has sent so far. */
  async recorded(): Promise<void> {
    await Promise.all([this.pipeline.flush(), this.frames.flush()]);
  }

  /** Carries out one command of the app wire. What it throws is a `BridgeError`. */
  async run(
    input: CommandInput,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<CommandOutcome> {
    const command = { sessionId: "driver", timestamp: Date.now(), origin: "agent", ...input } as Command;
    if (command.type === "dialog") return this.answerDialog(command);
    if (command.type === "watch") return this.screencast.set(command.on, command.again).then(() => ({}));
    if (POINTING.has(command.type)) return this.looks.look(command, signal);
    const { rules } = this.dialogs;
    rules.acting++;
    try {
      this.dialogs.refuseWhileOpen(command.type);
      if (command.type === "navigate")
        return await this.effects.of(command.settle, () => navigateTo(this.navigation, command));
      if (command.type === "keep_chains") return { value: await this.chains.keep(command.forMs) };
      if (command.type === "screenshot") return await this.screenshot(command);
      if (command.type === "record_actions") await this.recording.set(command.on);
      if (command.type === "record_actions") return await this.runInPage(command, signal);
      if (LOOKING.has(command.type)) return await this.looks.look(command, signal);
      const { allowFiles = false } = this.options;
      const toDo = command.type === "set_files" ? await withContents(command, allowFiles) : command;
      return await this.effects.of(settleOf(toDo), () => this.act(toDo, signal));
    } catch (thrown) {
      throw thrown instanceof DocumentGone ? unknownOutcome(command) : BridgeError.from(thrown);
    } finally {
      rules.acting--;
    }
  }

  /** Becomes an app of a hub: speaks the app wire over `transport`, until either side closes it. */
  connect(transport: Transport, { sessionId, kind, appName }: ConnectOptions): void {
    this.link?.close();
    const { enableEval, captureBodies } = this.options;
    const link: AppLink = new AppLink(transport, {
      ...{ sessionId, kind, appName, userAgent: this.userAgent },
      capabilities: capabilities(enableEval === true, captureBodies === true),
      run: (command, signal) => this.run(command, signal),
      onDeltas: (deltas) => this.inDocument("setDeltas", deltas),
      onClose: () => {
        if (this.link !== link) return;
        this.link = undefined;
        void this.screencast.set(false);
        this.inDocument("pause");
      },
    });
    this.link = link;
    if (this.shown) this.announceDocument(this.shown);
  }

  disconnect(): void {
    this.link?.close();
  }

  private async runInPage(command: Command, signal: AbortSignal): Promise<CommandOutcome> {
    const ends = performance.now() + READY_TIMEOUT_MS;
    for (;;) {
      const document = await this.documents.ready(READY_TIMEOUT_MS);
      try {
        const { outcome, error } = await this.engine.run(document, command, signal);
        if (error) throw errorFromBody(error);
        return outcome ?? {};
      } catch (thrown) {
        // Looking can be done again in the document that came after.
        if (!(thrown instanceof DocumentGone) || performance.now() > ends) throw thrown;
      }
    }
  }

  private async act(command: Command & { settle?: Settle }, signal: AbortSignal): Promise<CommandOutcome> {
    const frame = await this.looks.frameFor(command);
    const { all } = this.frames.frames;
    if (all.length === 0) return this.actInPage(command, signal);
    const page = { engine: this.engine, document: await this.documents.ready(READY_TIMEOUT_MS) };
    const placeOf = ({ host, document }: ForeignFrame) => ({ engine: host.engine, document });
    const others = all.filter((each) => each !== frame).map(placeOf);
    return actAmongFrames(frame ? [page, ...others] : others, this, command.settle, async () => {
      if (!frame) return this.actInPage(command, signal);
      const startedAt = performance.now();
      const { url: from, loadsEnded } = this.documents;
      const outcome = await actInFrame(this.frames, frame, command, signal);
      if (this.documents.current === page.document) return outcome;
      const departure = { startedAt, from, loadsEnded, settle: command.settle };
      return { ...outcome, receipt: await followNavigation(this.navigation, page.document, departure) };
    });
  }

  private async actInPage(
    command: Command & { settle?: Settle },
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    const document = await this.documents.ready(READY_TIMEOUT_MS);
    const startedAt = performance.now();
    const { url: from, loadsEnded } = this.documents;
    const reply = await this.engine.run(document, command, signal).catch((thrown: unknown) => {
      if (thrown instanceof DocumentGone) return undefined;
      throw thrown;
    });
    if (reply?.error) throw errorFromBody(reply.error);
    if (reply?.outcome && !reply.leaving) return reply.outcome;
    const departure = { startedAt, from, loadsEnded, settle: command.settle };
    const receipt = await followNavigation(this.navigation, document, departure);
    return { ...reply?.outcome, receipt, durationMs: receipt.durationMs };
  }

  /** Answers the dialog that is open and reports what that caused; without one, sets a rule. */
  private async answerDialog(command: CommandOf<"dialog">): Promise<CommandOutcome> {
    const startedAt = performance.now();
    const { url: from } = this.documents;
    const answered = await this.dialogs.answer(command);
    if (!answered) return { value: { for: command.for ?? "next" } };
    const receipt = await receiptAfter(this.navigation, { startedAt, from, settle: command.settle });
    return { value: { answered }, receipt, durationMs: receipt.durationMs };
  }

  private async screenshot(command: Extract<Command, { type: "screenshot" }>): Promise<CommandOutcome> {
    if (this.options.mayRaise) await this.cdp.send("Page.bringToFront");
    const frame = command.target && (await this.looks.frameFor(command));
    const area = frame && (await this.frames.boxIn(frame, command.target as Target));
    if (area) return { value: await takeScreenshot(this.cdp, this.engine, undefined, { ...command, area }) };
    const needsEngine = command.target !== undefined || command.labels === true;
    const document = needsEngine ? await this.documents.ready(READY_TIMEOUT_MS) : undefined;
    return { value: await takeScreenshot(this.cdp, this.engine, document, command) };
  }

  private onMessage(message: FromPage, contextId: number): void {
    switch (message.kind) {
      case "ready":
        this.documents.arrived(contextId, message.url);
        if (this.recording.onDocument()) void this.run({ type: "record_actions", on: true }).catch(() => {});
        break;
      case "loaded":
        this.shown = { url: message.url, title: message.title };
        if (this.link) this.announceDocument(this.shown);
        this.documents.domComplete(contextId);
        break;
      case "telemetry":
        this.onRecord(this.recording.describe(this.frames.withItems(message.body)));
        break;
      case "input":
        this.answer(message.id, contextId, this.perform(message.action).then(noValue));
        break;
      case "flush":
        // What the page did before it asked came before its question: the browser keeps them in order.
        this.answer(message.id, contextId, this.recorded().then(noValue));
        break;
      case "evaluate":
        this.answer(message.id, contextId, this.mainWorld.evaluate(message.code));
    }
  }

  private onRecord(record: TelemetryBody): void {
    if (record.type !== "picked") this.emit(record);
    else void withPicture(record, (command) => this.screenshot(command)).then((whole) => this.emit(whole));
  }

  private async perform(action: InputAction): Promise<void> {
    if (this.chains.isKept) await this.chains.onInput(action);
    await this.input.perform(action);
  }

  private announceDocument({ url, title }: { url: string; title: string }): void {
    this.link?.sendHello(url, title);
    this.inDocument("announce", this.link?.deltas ?? false);
  }

  private answer(id: number, contextId: number, work: Promise<DriverReply>): void {
    const failed = (thrown: unknown): DriverReply => ({ error: BridgeError.from(thrown).toBody() });
    void work.catch(failed).then((reply) => {
      const { current } = this.documents;
      if (current?.contextId === contextId) this.inDocument("answer", id, JSON.stringify(reply));
    });
  }

  private emit(record: TelemetryBody): void {
    this.activity.record(record);
    this.link?.send(record);
    for (const listener of this.listeners) listener(record);
  }

  private async sendToPage(records: readonly TelemetryBody[]): Promise<boolean> {
    const { current } = this.documents;
    // A page with an open dialog would not answer before it is closed.
    if (!current || this.dialogs.isOpen) return false;
    await this.engine.call(current, "addRecords", JSON.stringify(records));
    return true;
  }

  private inDocument<Name extends "announce" | "setDeltas" | "pause" | "answer">(
    name: Name,
    ...args: Parameters<InPageApi[Name]>
  ): void {
    const { current } = this.documents;
    if (current) this.engine.call(current, name, ...(args as never)).catch(() => {});
  }
}

const settleOf = (command: Command): Settle => ("settle" in command ? command.settle : undefined);
const noValue = (): DriverReply => ({});
function unknownOutcome({ type }: Command): BridgeError {
  return new BridgeError(
    "outcome_unknown",
    `the document was replaced while ${type} ran, so its outcome is unknown. Look at the page before you try again`,
  );
}

/** Injects the page engine into the page of a CDP session and returns the driven page. */
export async function drivePage(cdp: CdpSession, options: DriveOptions = {}): Promise<DrivenPage> {
  const page = new DrivenPage(cdp, options);
  await page.start();
  return page;
}
