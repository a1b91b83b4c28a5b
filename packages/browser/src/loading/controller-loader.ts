import type { SecondHalf } from "./second-half.js";

/** Loads a part of the SDK by the name of its file, where parts are scripts. */
export type LoadScript = <Exports>(file?: string) => Promise<Exports>;

/** Loads the part of the SDK that observes. */
export type LoadSecondHalf = () => Promise<typeof import("./second-half-module.js")>;

/** Loads the larger part of the SDK once, when it is first needed. A failed load is tried again the next time. */
export class ControllerLoader {
  loaded: SecondHalf | undefined;
  private loading: Promise<SecondHalf> | undefined;

  constructor(
    private readonly load: LoadSecondHalf,
    private readonly create: (module: Awaited<ReturnType<LoadSecondHalf>>) => SecondHalf,
  ) {}

  get(): Promise<SecondHalf> {
    this.loading ??= this.load().then(
      (module) => {
        this.loaded = this.create(module);
        return this.loaded;
      },
      (thrown: unknown) => {
        this.loading = undefined;
        throw thrown;
      },
    );
    return this.loading;
  }

  stop(): void {
    this.loaded?.stop();
    this.loaded = undefined;
    this.loading = undefined;
  }
}
