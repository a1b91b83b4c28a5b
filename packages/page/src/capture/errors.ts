import { truncate } from "@debug-bridge/protocol";
import { toText } from "../serialize.js";
import type { CaptureContext } from "./context.js";
import type { Unhook } from "./hook.js";

/** Reports uncaught errors, unhandled rejections and resources that did not load. */
export function captureErrors({ window, emit, guard, masker }: CaptureContext): Unhook {
  const onError = guard.wrap((event: ErrorEvent | Event) => {
    const target = event.target as Element | null;
    if (target && (target as unknown) !== window && target.nodeType === 1) return reportResource(target);
    const { message, error, filename, lineno, colno } = event as ErrorEvent;
    emit({
      type: "error",
      message: masker.body(message || (error ? toText(error) : "unknown_error")),
      ...(error?.stack ? { stack: masker.body(truncate(String(error.stack), 16_384)) } : {}),
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
    const stack: unknown = reason?.stack;
    emit({
      type: "unhandledrejection",
      reason: masker.body(toText(reason, masker)),
      ...(typeof reason?.message === "string" ? { message: masker.body(reason.message) } : {}),
      ...(typeof stack === "string" ? { stack: masker.body(truncate(stack, 16_384)) } : {}),
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
