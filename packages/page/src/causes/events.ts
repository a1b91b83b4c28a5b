import type { Unhook } from "../capture/hook.js";
import type { Listening } from "../capture/start.js";
import type { CausesContext } from "./hooks.js";

/** Events by which a person or the browser starts code of an app. All of them pass the window first. */
const EVENTS = (
  "click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup pointermove mouseover mouseout " +
  "touchstart touchend keydown keypress keyup beforeinput input change submit reset focusin focusout focus blur " +
  "dragstart dragover drop dragend paste copy cut scroll wheel toggle close cancel invalid select " +
  "popstate hashchange message storage online offline visibilitychange pageshow pagehide resize " +
  "DOMContentLoaded load transitionend animationend play pause ended"
).split(" ");

/** Follows the events of the page. Nothing is wrapped: while an event is dispatched, its object says so. */
export function followEvents({ window, guard, tasks }: CausesContext, listening: Listening): Unhook {
  const onEvent = guard.wrap((event: Event) => {
    const times = sameListeners(event, listening);
    const step = { error: undefined as never, ...(times > 1 ? { times } : {}) };
    tasks.dispatch(event, tasks.create(`listener ${event.type}`, step));
  });
  const options = { capture: true, passive: true };
  for (const type of EVENTS) window.addEventListener(type, onEvent, options);
  return () => {
    for (const type of EVENTS) window.removeEventListener(type, onEvent, options);
  };
}

/** The most listeners of one element for this event that have the same code. */
function sameListeners(event: Event, listening: Listening): number {
  let most = 0;
  for (const target of event.composedPath()) {
    const counts = new Map<string, number>();
    for (const [type, listener] of listening.get(target as Element) ?? []) {
      if (type !== event.type || typeof listener !== "function") continue;
      const code = Function.prototype.toString.call(listener);
      // Code of the platform has no text of its own.
      if (code.endsWith("[native code] }")) continue;
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      most = Math.max(most, count);
    }
  }
  return most;
}
