import { platform } from "../inert/platform.js";
import { type InteractionContext, observeInteractions } from "./interactions.js";

/** Who observes a page already. */
const observed = new WeakMap<Window, () => void>();

/** Starts or ends the report of what is done in a page. Asked for twice, it is reported once. */
export function recordActions(on: boolean, context: InteractionContext, seed?: number): void {
  const { window, emit, masker } = context;
  if (on === observed.has(window)) return;
  if (!on) {
    observed.get(window)?.();
    observed.delete(window);
    return;
  }
  emit({
    type: "recording_start",
    url: masker.url(window.location.href),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC",
    language: window.navigator.language,
    width: window.innerWidth,
    height: window.innerHeight,
    timestamp: platform.epoch(),
    ...(seed === undefined ? {} : { seed }),
  });
  observed.set(window, observeInteractions(context));
}
