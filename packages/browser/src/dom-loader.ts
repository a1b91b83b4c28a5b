import type { CaptureHalf } from "@debug-bridge/page/capture";
import type { createDomHalf, DomHalf } from "@debug-bridge/page/dom";
import { BridgeError, type Command, type CommandOutcome } from "@debug-bridge/protocol";

/** Brings the half of the engine that looks and acts. */
export type LoadDomHalf = () => Promise<{ createDomHalf: typeof createDomHalf }>;

/** The larger half of the engine, loaded once, when it is first needed. A failed load is tried again the next time. */
export class DomHalfLoader {
  loaded: DomHalf | undefined;
  private loading: Promise<DomHalf> | undefined;

  constructor(
    private readonly capture: CaptureHalf,
    private readonly load: LoadDomHalf,
  ) {}

  get(): Promise<DomHalf> {
    this.loading ??= this.load().then(
      (module) => {
        this.loaded = module.createDomHalf(this.capture);
        return this.loaded;
      },
      (thrown: unknown) => {
        this.loading = undefined;
        throw thrown;
      },
    );
    return this.loading;
  }

  async run(command: Command, signal: AbortSignal): Promise<CommandOutcome> {
    const dom = await this.get();
    try {
      return await dom.run(command, signal);
    } catch (thrown) {
      // Where the halves are two scripts, each has an error class of its own.
      const { code, message, details } = thrown as BridgeError;
      throw typeof code === "string" ? BridgeError.fromBody({ code, message, details }) : thrown;
    }
  }

  stop(): void {
    this.loaded?.stop();
    this.loaded = undefined;
    this.loading = undefined;
  }
}
