import { useSyncExternalStore } from "react";

/** Below this width panes do not fit beside each other. */
const WIDE = "(min-width: 900px)";

/** Whether there is room for several panes. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}
