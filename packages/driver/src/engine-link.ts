import { BridgeError, type Command } from "@debug-bridge/protocol";
import type { CdpSession } from "./cdp.js";
import type { LiveDocument } from "./documents.js";
import type { EngineConfig, FromPage, InPageApi, PageReply } from "./link-messages.js";
import { engineScript } from "./scripts.js";

const WORLD = "debug-bridge";

/** Thrown when the document was replaced while something was asked of it. */
export class DocumentGone extends Error {}

const GONE = /context|navigated|destroyed|collected|closed|detached|not attached|Session with given id/i;

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

/** Puts the engine into every document of the page, in a world of its own, and talks with it. */
export class EngineLink {
  private nextRun = 1;
  /** Who waits for an answer, by the world that is to give it. */
  private readonly waiting = new Map<number, Set<(error: Error) => void>>();

  constructor(
    private readonly cdp: CdpSession,
    private readonly config: EngineConfig,
    onMessage: (message: FromPage, contextId: number) => void,
  ) {
    cdp.on(
      "Runtime.bindingCalled",
      (event: { name: string; payload: string; executionContextId: number }) => {
        if (event.name === config.binding)
          onMessage(JSON.parse(event.payload) as FromPage, event.executionContextId);
      },
    );
  }

  /** The engine says `ready` from every document from now on; from the one that is shown, unless it is `fresh`. */
  async inject(fresh: boolean): Promise<void> {
    await Promise.all([
      this.cdp.send("Runtime.addBinding", { name: this.config.binding, executionContextName: WORLD }),
      this.cdp.send("Page.addScriptToEvaluateOnNewDocument", {
        source: engineScript(this.config),
        worldName: WORLD,
        runImmediately: !fresh,
      }),
    ]);
  }

  async run(document: LiveDocument, command: Command, signal: AbortSignal): Promise<PageReply> {
    const id = this.nextRun++;
    const cancel = (): void => void this.call(document, "cancel", id).catch(() => {});
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return JSON.parse(await this.call(document, "run", id, JSON.stringify(command))) as PageReply;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Calls a function of the engine in this document. */
  async call<Name extends keyof InPageApi>(
    { contextId }: LiveDocument,
    name: Name,
    ...args: Parameters<InPageApi[Name]>
  ): Promise<Awaited<ReturnType<InPageApi[Name]>>> {
    const answer = await this.evaluate(
      contextId,
      `debugBridge.${name}(${args.map((arg) => JSON.stringify(arg)).join(",")})`,
    );
    const { result, exceptionDetails } = answer;
    if (!exceptionDetails) return result.value as Awaited<ReturnType<InPageApi[Name]>>;
    const described = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new BridgeError("internal", `the engine in the page failed at ${name}: ${described}`);
  }

  /** A page that crashed answers nothing any more: whoever waits for one of its documents is told. */
  abandon(contextId: number, error: Error = new DocumentGone("the document is gone")): void {
    const waiting = this.waiting.get(contextId);
    this.waiting.delete(contextId);
    for (const reject of waiting ?? []) reject(error);
  }

  private evaluate(contextId: number, expression: string): Promise<Evaluated> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(contextId) ?? new Set();
      this.waiting.set(contextId, waiting.add(reject));
      this.cdp
        .send<Evaluated>("Runtime.evaluate", {
          expression,
          contextId,
          awaitPromise: true,
          returnByValue: true,
        })
        .finally(() => waiting.delete(reject))
        .then(resolve, (thrown: Error) =>
          reject(GONE.test(thrown.message) ? new DocumentGone(thrown.message) : thrown),
        );
    });
  }
}
