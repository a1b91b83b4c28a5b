import { useEffect, useRef } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";

/** A pointer that only passes over refs marks nothing. */
const DELAY_MS = 100;

/** Marks the element in the live page that somebody points at. The mark goes when they leave, or the pane does. */
export function useHighlight(client: DashboardApi, session: string): (ref: string | undefined) => void {
  const state = useRef<{ timer?: ReturnType<typeof setTimeout>; isShown: boolean }>({ isShown: false });
  const point = (ref: string | undefined): void => {
    const { current } = state;
    clearTimeout(current.timer);
    if (ref === undefined && !current.isShown) return;
    current.timer = setTimeout(() => {
      current.isShown = ref !== undefined;
      client.highlight(session, ref).catch(() => {});
    }, DELAY_MS);
  };
  useEffect(() => {
    const { current } = state;
    return () => {
      clearTimeout(current.timer);
      if (current.isShown) client.highlight(session).catch(() => {});
    };
  }, [client, session]);
  return point;
}
