import type { TelemetryCapture } from "@debug-bridge/page/capture";
import type { PageController } from "@debug-bridge/page/dom";
import { BridgeError, type Command, type CommandOutcome } from "@debug-bridge/protocol";
import type { IdempotencyStore } from "../idempotency-store.js";
import type { Mark } from "../mark.js";

/** Loads the part of the SDK that observes and acts. */
export type LoadSecondHalf = () => Promise<typeof import("./second-half.js")>;

interface Loaded {
  readonly controller: PageController;
  readonly mark: Mark;
  readonly outcomes: IdempotencyStore;
}

/** Loads the larger part of the SDK once, when it is first needed. A failed load is tried again the next time. */
export class ControllerLoader {
  loaded: Loaded | undefined;
  private loading: Promise<Loaded> | undefined;

  constructor(
    private readonly capture: TelemetryCapture,
    private readonly load: LoadSecondHalf,
    private readonly onStop: () => void,
  ) {}

  get(): Promise<Loaded> {
    this.loading ??= this.load().then(
      ({ createPageController, createMark, IdempotencyStore, tabStorage }) => {
        const { window, ours } = this.capture;
        this.loaded = {
          controller: createPageController(this.capture),
          mark: createMark(window.document, (host) => ours.add(host), this.onStop),
          outcomes: new IdempotencyStore(tabStorage(window)),
        };
        return this.loaded;
      },
      (thrown: unknown) => {
        this.loading = undefined;
        throw thrown;
      },
    );
    return this.loading;
  }

  /** `isOpen` distinguishes a command that was cancelled from one whose connection broke. */
  async run(command: Command, signal: AbortSignal, isOpen: () => boolean): Promise<CommandOutcome> {
    const { controller, outcomes } = await this.get();
    const { idempotencyKey } = command;
    try {
      if (idempotencyKey === undefined) return await controller.run(command, signal);
      // The same key may come again over the next connection, so a broken one must not end the command.
      return await outcomes.run(idempotencyKey, () => {
        const own = new AbortController();
        signal.addEventListener("abort", () => isOpen() && own.abort());
        return controller.run(command, own.signal);
      });
    } catch (thrown) {
      // When the parts are two scripts, each has an error class of its own.
      const { code, message, details } = thrown as BridgeError;
      throw typeof code === "string" ? BridgeError.fromBody({ code, message, details }) : thrown;
    }
  }

  stop(): void {
    this.loaded?.mark.remove();
    this.loaded?.controller.stop();
    this.loaded = undefined;
    this.loading = undefined;
  }
}
