import { BridgeError, type Command, Correlator } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { LiveDocument } from "../navigation/documents.js";
import type { EngineConfig, FromPage, InPageApi, OwnerApi, PageReply } from "./link-messages.js";
import type { PageNumbers } from "./page-numbers.js";
import { engineScript } from "./scripts.js";

export const WORLD = "debug-bridge";

/** Thrown when the document was replaced before it replied. */
export class DocumentGone extends BridgeError {
  constructor(message = "the document is gone") {
    super("outcome_unknown", message);
  }
}

const GONE = /context|navigated|destroyed|collected|closed|detached|not attached|Session with given id/i;

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

/** Injects the engine into every document of the page, in an isolated world, and calls it. */
export class EngineLink {
  private nextId = 1;
  private readonly requests = new Correlator<Evaluated>();
  /** Ids of the requests that each world has not answered yet. */
  private readonly pending = new Map<number, Set<string>>();
  /** The version of the numbers that each world knows. */
  private readonly known = new Map<number, number>();
  /** Fragments of requests that engines are about to make: each of one request, which is not the app's. */
  readonly ownMarks = new Set<string>();

  constructor(
    private readonly cdp: CdpSession,
    private readonly config: EngineConfig,
    private readonly numbers: PageNumbers,
    onMessage: (message: FromPage, contextId: number) => void,
  ) {
    cdp.on(
      "Runtime.bindingCalled",
      (event: { name: string; payload: string; executionContextId: number }) => {
        if (event.name !== config.binding) return;
        const message = JSON.parse(event.payload) as FromPage;
        if (message.kind === "reserved")
          this.onReserved(message.numbers, message.end, event.executionContextId);
        else if (message.kind === "own_request") this.ownMarks.add(message.mark);
        else onMessage(message, event.executionContextId);
      },
    );
  }

  /** From now on the engine reports `ready` from every document; from the current one, unless it is `fresh`. */
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
    const id = this.nextId++;
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
    const call = `debugBridge.${name}(${args.map((arg) => JSON.stringify(arg)).join(",")})`;
    const answer = await this.evaluate(contextId, this.numbersFor(contextId) + call);
    const { result, exceptionDetails } = answer;
    if (!exceptionDetails) return result.value as Awaited<ReturnType<InPageApi[Name]>>;
    const described = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new BridgeError("internal", `the engine in the page failed at ${name}: ${described}`);
  }

  /** Calls a function of the engine with an element of its world. */
  async callWith<Name extends keyof OwnerApi>(
    objectId: string,
    name: Name,
    ...args: Parameters<OwnerApi[Name]> extends [Element, ...infer Rest] ? Rest : never
  ): Promise<ReturnType<OwnerApi[Name]>> {
    const { result, exceptionDetails } = await this.cdp.send<Evaluated>("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `function (...args) { return debugBridge.${name}(this, ...args); }`,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
    });
    if (exceptionDetails) throw new BridgeError("internal", `the engine in the page failed at ${name}`);
    return result.value as ReturnType<OwnerApi[Name]>;
  }

  /** Fails every request to a world that is gone: a page that crashed answers nothing. */
  abandon(contextId: number, error: BridgeError = new DocumentGone()): void {
    const pending = this.pending.get(contextId);
    this.pending.delete(contextId);
    this.known.delete(contextId);
    for (const id of pending ?? []) this.requests.fail(id, error);
  }

  private onReserved(kind: string, end: string, contextId: number): void {
    const knowsAll = this.known.get(contextId) === this.numbers.version;
    this.numbers.reserve(kind, end);
    if (knowsAll) this.known.set(contextId, this.numbers.version);
  }

  /** Code that reports to a world which numbers others have reserved since the last report. */
  private numbersFor(contextId: number): string {
    const { version } = this.numbers;
    if ((this.known.get(contextId) ?? 0) === version) return "";
    this.known.set(contextId, version);
    return `debugBridge.reserved(${JSON.stringify(this.numbers)}),`;
  }

  private evaluate(contextId: number, expression: string): Promise<Evaluated> {
    const id = String(this.nextId++);
    const pending = this.pending.get(contextId) ?? new Set();
    this.pending.set(contextId, pending.add(id));
    const reply = this.requests.open(id);
    this.cdp
      .send<Evaluated>("Runtime.evaluate", { expression, contextId, awaitPromise: true, returnByValue: true })
      .then(
        (evaluated) => this.requests.settle(id, evaluated),
        (thrown: Error) =>
          this.requests.fail(
            id,
            GONE.test(thrown.message) ? new DocumentGone(thrown.message) : BridgeError.from(thrown),
          ),
      )
      .finally(() => pending.delete(id));
    return reply;
  }
}
