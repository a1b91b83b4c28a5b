import { stackOf } from "../app-data.js";
import { describeArguments } from "./console.js";
import type { CaptureContext } from "./context.js";
import type { Unhook } from "./hook.js";

const STACK_LENGTH = 16_384;

/** Reports uncaught errors, unhandled rejections and resources that did not load. */
export function captureErrors({ window, emit, guard, masker, identity }: CaptureContext): Unhook {
  const name = (event: Event): { callId?: string } => (identity ? { callId: identity.ofEvent(event) } : {});
  const onError = guard.wrap((event: ErrorEvent | Event) => {
    const target = event.target as Element | null;
    if (target && (target as unknown) !== window && target.nodeType === 1) return reportResource(target);
    const { message, error, filename, lineno, colno } = event as ErrorEvent;
    const stack = stackOf(error);
    const { args, values } = describeArguments(error == null ? [] : [error], masker);
    emit({
      type: "error",
      message: masker.fit(message || args[0] || "unknown_error", STACK_LENGTH),
      ...(values.length > 0 ? { values } : {}),
      ...name(event),
      ...(stack ? { stack: masker.fit(stack, STACK_LENGTH) } : {}),
      ...(filename ? { filename: masker.url(filename) } : {}),
      ...(lineno ? { lineno } : {}),
      ...(colno ? { colno } : {}),
    });
  });

  const reportResource = (element: Element): void => {
    const { src, href } = element as HTMLImageElement & HTMLLinkElement;
    const url = masker.url(src || href || "");
    if (url === "") return;
    emit({
      type: "error",
      message: `<${element.localName}> did not load: ${url}`,
      resource: { tag: element.localName, url },
    });
  };

  const onRejection = guard.wrap((event: PromiseRejectionEvent) => {
    const { reason } = event;
    const stack = stackOf(reason);
    const { args, values } = describeArguments([reason], masker);
    emit({
      type: "unhandledrejection",
      reason: args[0] ?? "undefined",
      values,
      ...name(event),
      ...(typeof reason?.message === "string" ? { message: masker.fit(reason.message, STACK_LENGTH) } : {}),
      ...(stack ? { stack: masker.fit(stack, STACK_LENGTH) } : {}),
    });
  });

  // Errors of resources do not bubble; only the capture phase sees them.
  window.addEventListener("error", onError, true);
  window.addEventListener("unhandledrejection", onRejection);
  return () => {
    window.removeEventListener("error", onError, true);
    window.removeEventListener("unhandledrejection", onRejection);
  };
}
