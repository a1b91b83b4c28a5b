import { FIELD_LIMITS } from "@debug-bridge/protocol";
import { plainText, type RemoteObject } from "./capture/remote-object.js";
import type { CdpSession } from "./cdp.js";
import type { Documents } from "./documents.js";
import type { DriverReply } from "./link-messages.js";
import { mainWorldExpression } from "./scripts.js";

/** How many values may wait to be described; a page that prints more gets the browser's short description. */
const MOST_WAITING = 200;

/** The page's own world: where an agent's code runs, and where what the page printed can be read. */
export class MainWorld {
  /** Our functions in each context, made when first needed. */
  private readonly handles = new Map<number, Promise<string>>();
  private waiting = 0;

  constructor(
    private readonly cdp: CdpSession,
    private readonly documents: Documents,
  ) {
    cdp.on("Runtime.executionContextsCleared", () => this.handles.clear());
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }: { executionContextId: number }) => {
      this.handles.delete(executionContextId);
    });
  }

  async evaluate(code: string): Promise<DriverReply> {
    // Not through a handle: only code that is evaluated itself may in turn evaluate, whatever the page's CSP says.
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

  /** Values that the page printed, as text; they are let go of afterwards. */
  async describe(values: readonly RemoteObject[], contextId: number): Promise<string[]> {
    const short = (): string[] =>
      values.map(
        (value) => plainText(value) ?? (value.description ?? value.type).slice(0, FIELD_LIMITS.line),
      );
    if (this.waiting >= MOST_WAITING) return short();
    this.waiting++;
    try {
      const objectId = await this.handle(contextId);
      const { result } = await this.cdp.send<{ result: { value?: string[] } }>("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: "function (...values) { return this.describe(values); }",
        arguments: values.map(({ objectId, value, unserializableValue }) =>
          objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value },
        ),
        returnByValue: true,
      });
      return result.value ?? short();
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
