import { payloadText, type Reporter } from "./hooks.js";
import { locationText } from "./location.js";
import { getterOf, uncurry } from "./natives.js";

const isTrusted = (event: Event): boolean => event.isTrusted;
const errorOf = getterOf<unknown>(ErrorEvent.prototype, "error");
const messageOf = getterOf<string>(ErrorEvent.prototype, "message");
const fileOf = getterOf<string>(ErrorEvent.prototype, "filename");
const lineOf = getterOf<number>(ErrorEvent.prototype, "lineno");
const columnOf = getterOf<number>(ErrorEvent.prototype, "colno");
const reasonOf = getterOf<unknown>(PromiseRejectionEvent.prototype, "reason");
const listen = uncurry(EventTarget.prototype.addEventListener);

/** Reports errors that nothing caught and rejections that nothing handled. Made-up events of the page do not count. */
export function watchUncaught(target: Window, reporter: Reporter): void {
  listen(
    target,
    "error",
    (event: Event) => {
      // Elements that fail to load fire the same event, without a message.
      if (!isTrusted(event) || !isErrorEvent(event) || !reporter.accepts(true)) return;
      reporter.report(true, () => {
        const thrown = errorOf(event);
        const file = fileOf(event);
        return payloadText("error", [thrown === null || thrown === undefined ? messageOf(event) : thrown], {
          uncaught: "error",
          stack: undefined,
          groupDepth: 0,
          location: file ? locationText(file, lineOf(event), columnOf(event)) : undefined,
        });
      });
    },
    true,
  );
  listen(target, "unhandledrejection", (event: Event) => {
    if (!isTrusted(event) || !reporter.accepts(true)) return;
    reporter.report(true, () =>
      payloadText("error", [reasonOf(event)], {
        uncaught: "rejection",
        location: undefined,
        stack: undefined,
        groupDepth: 0,
      }),
    );
  });
}

function isErrorEvent(event: Event): boolean {
  try {
    return typeof messageOf(event) === "string";
  } catch {
    return false;
  }
}
