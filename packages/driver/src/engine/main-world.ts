import type { ConsoleArgument } from "@debug-bridge/protocol";
import { boundedArgumentSchema } from "@debug-bridge/protocol/schemas";
import { describedArgument, type RemoteObject } from "../capture/remote-object.js";
import type { CdpSession } from "../cdp.js";
import type { Documents } from "../navigation/documents.js";
import type { DriverReply } from "./link-messages.js";
import { mainWorldExpression } from "./scripts.js";

/** How many calls may wait to be described. Beyond it, the browser's short descriptions are used. */
const MAX_WAITING = 200;

interface ContextCreated {
  readonly context: { readonly id: number; readonly auxData?: { readonly isDefault?: boolean } };
}

/** The page's own world: runs an agent's code, and describes the values that the page printed. */
export class MainWorld {
  /** Our functions in each context, made when first needed. */
  private readonly handles = new Map<number, Promise<string>>();
  private waiting = 0;

  constructor(
    private readonly cdp: CdpSession,
    private readonly documents: Pick<Documents, "mainContextId">,
    channel: string,
  ) {
    cdp.on("Runtime.executionContextCreated", ({ context }: ContextCreated) => {
      // A read-only tab refuses it: then only the looks of its elements count.
      if (context.auxData?.isDefault) this.showListeners(context.id, channel).catch(() => {});
    });
    cdp.on("Runtime.executionContextsCleared", () => this.handles.clear());
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }: { executionContextId: number }) => {
      this.handles.delete(executionContextId);
    });
  }

  async evaluate(code: string): Promise<DriverReply> {
    // Not through a handle: only code that was itself evaluated may evaluate more code, whatever the page's CSP is.
    const { result, exceptionDetails } = await this.cdp.send<{
      result: { value?: string };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>("Runtime.evaluate", {
      expression: `${mainWorldExpression()}.run(${JSON.stringify(code)})`,
      ...(this.documents.mainContextId === undefined ? {} : { contextId: this.documents.mainContextId }),
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails || typeof result.value !== "string") {
      const message =
        exceptionDetails?.exception?.description ?? exceptionDetails?.text ?? "no value came back";
      return { error: { code: "evaluation_failed", message } };
    }
    return JSON.parse(result.value) as DriverReply;
  }

  /** Lets the engine see which elements of a document have handlers. */
  private async showListeners(contextId: number, channel: string): Promise<void> {
    await this.cdp.send("Runtime.evaluate", {
      expression: `${mainWorldExpression()}.answerWhoReacts(${JSON.stringify(channel)}, typeof getEventListeners === "function" ? getEventListeners : undefined)`,
      contextId,
      // Has the function that lists listeners, and adds nothing to the page.
      includeCommandLineAPI: true,
      silent: true,
    });
  }

  /** Values that the page printed, as data. The browser may free them afterwards. */
  async describe(values: readonly RemoteObject[], contextId: number): Promise<ConsoleArgument[]> {
    const short = (): ConsoleArgument[] => values.map(describedArgument);
    if (this.waiting >= MAX_WAITING) return short();
    this.waiting++;
    try {
      const objectId = await this.handle(contextId);
      const { result } = await this.cdp.send<{ result: { value?: unknown } }>("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: "function (...values) { return this.describe(values); }",
        arguments: values.map(({ objectId, value, unserializableValue }) =>
          objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value },
        ),
        returnByValue: true,
      });
      // The page's world is not ours: what comes back is checked like any other input.
      return parseArguments(result.value, values.length) ?? short();
    } catch {
      return short();
    } finally {
      this.waiting--;
      for (const { objectId } of values)
        if (objectId) this.cdp.send("Runtime.releaseObject", { objectId }).catch(() => {});
    }
  }

  private handle(contextId: number): Promise<string> {
    let handle = this.handles.get(contextId);
    if (!handle) {
      handle = this.cdp
        .send<{ result: { objectId: string } }>("Runtime.evaluate", {
          expression: mainWorldExpression(),
          contextId,
          objectGroup: "debug-bridge",
          silent: true,
        })
        .then(({ result }) => result.objectId);
      this.handles.set(contextId, handle);
      handle.catch(() => this.handles.delete(contextId));
    }
    return handle;
  }
}

function parseArguments(value: unknown, count: number): ConsoleArgument[] | undefined {
  if (typeof value !== "string") return undefined;
  const list: unknown = JSON.parse(value);
  if (!Array.isArray(list) || list.length !== count) return undefined;
  return list.map((item) => boundedArgumentSchema.parse(item));
}
