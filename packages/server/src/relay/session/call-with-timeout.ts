import { withoutSideEffects } from "@debug-bridge/protocol";
import { contextOf } from "../clients/page-world.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession } from "../tabs/tab.js";
import type { CdpMessage } from "../wire/messages.js";

let nextCall = 1;

/**
 * A call in the form of `Runtime.evaluate`, which has a timeout: `Runtime.callFunctionOn` has none, and an extension may
 * not end code that loops. The objects of the call are put into the world first.
 */
export function withTimeout(relay: RelayCore, chrome: ChromeSession, message: CdpMessage): CdpMessage {
  const { functionDeclaration, objectId, executionContextId, arguments: given, ...rest } = message.params;
  const number = nextCall++;
  const keep = `function (...given) { globalThis.debugBridgeCall = { number: ${number}, self: this, given }; }`;
  const target = objectId === undefined ? { executionContextId } : { objectId };
  relay.command(
    chrome,
    "Runtime.callFunctionOn",
    JSON.stringify({ ...target, functionDeclaration: keep, arguments: given }),
    () => {},
    { own: true },
  );
  const expression = `(function () { const call = globalThis.debugBridgeCall;
if (call?.number !== ${number}) throw new Error("Could not find object with given id");
return (${String(functionDeclaration)}
).apply(call.self, call.given); })()`;
  const contextId = Number(contextOf({ objectId, executionContextId }));
  const method = "Runtime.evaluate";
  return {
    ...message,
    method,
    params: { ...withoutSideEffects(method, { ...rest, expression, contextId }) },
  };
}
