import { errorStack, eventCallId, getterOf, uncurry, world } from "@debug-bridge/page/inert";
import { firstPlace } from "./frames.js";
import { payloadText, type Reporter } from "./hooks.js";
import { locationText } from "./location.js";
import { isOurs, withoutOurs } from "./own-frames.js";

const isTrusted = (event: Event): boolean => event.isTrusted;
const errorOf = getterOf<unknown>(ErrorEvent.prototype, "error");
const messageOf = getterOf<string>(ErrorEvent.prototype, "message");
const fileOf = getterOf<string>(ErrorEvent.prototype, "filename");
const lineOf = getterOf<number>(ErrorEvent.prototype, "lineno");
const columnOf = getterOf<number>(ErrorEvent.prototype, "colno");
const reasonOf = getterOf<unknown>(PromiseRejectionEvent.prototype, "reason");
const listen = uncurry(EventTarget.prototype.addEventListener);
const observe = uncurry(MutationObserver.prototype.observe);
const NativeObserver = MutationObserver;

/** Reports uncaught errors and unhandled rejections. Events that the page dispatches itself do not count. */
export function watchUncaught(target: Window, reporter: Reporter): void {
  const onError = (event: Event): void => {
    // Elements that fail to load fire the same event, without a message.
    if (!isTrusted(event) || !isErrorEvent(event) || !reporter.accepts(true)) return;
    reporter.report(true, () => {
      const thrown = errorOf(event);
      return uncaughtText("error", thrown ?? messageOf(event), placeOf(event, thrown), event);
    });
  };
  const onRejection = (event: Event): void => {
    if (!isTrusted(event) || !reporter.accepts(true)) return;
    reporter.report(true, () => uncaughtText("rejection", reasonOf(event), undefined, event));
  };
  const listenAgain = (): void => {
    listen(target, "error", onError, true);
    listen(target, "unhandledrejection", onRejection);
  };
  listenAgain();
  // `document.open` takes the listeners away with the content. To add one that is still there changes nothing.
  observe(new NativeObserver(listenAgain), target.document, {
    __proto__: null,
    childList: true,
  } as MutationObserverInit);
}

function uncaughtText(
  uncaught: "error" | "rejection",
  value: unknown,
  location: string | undefined,
  event: Event,
): string {
  const callId = eventCallId(world, event);
  return payloadText("error", [value], {
    uncaught,
    location,
    stack: undefined,
    groupDepth: undefined,
    callId,
  });
}

/** Where it was thrown. A recursion without end that logs is cut off in our code, which is not where to look. */
function placeOf(event: Event, thrown: unknown): string | undefined {
  const file = fileOf(event);
  if (!file) return undefined;
  if (!isOurs(file)) return locationText(file, lineOf(event), columnOf(event));
  const place =
    typeof thrown === "object" && thrown ? firstPlace(withoutOurs(errorStack(thrown) ?? "")) : undefined;
  return place && locationText(place.url, place.line, place.column);
}

function isErrorEvent(event: Event): boolean {
  try {
    return typeof messageOf(event) === "string";
  } catch {
    return false;
  }
}
