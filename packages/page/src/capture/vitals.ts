import type { BodyOf } from "../telemetry.js";
import type { CaptureContext } from "./context.js";
import type { Unhook } from "./hook.js";

type Name = BodyOf<"vitals">["name"];
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}
interface EventTiming extends PerformanceEntry {
  readonly interactionId?: number;
}

/** A shift counts with those at most a second before it, in windows of at most five. */
const SHIFT_GAP_MS = 1_000;
const SHIFT_WINDOW_MS = 5_000;

/** Reports the web vitals as the browser measures them, and long tasks. */
export function captureVitals({
  window,
  emit,
  guard,
}: Pick<CaptureContext, "window" | "emit" | "guard">): Unhook {
  const observers: PerformanceObserver[] = [];
  const once = new Set<Name>();
  const send = (name: Name, value: number, detail?: Record<string, string | number>): void =>
    emit({ type: "vitals", name, value: Math.round(value * 1_000) / 1_000, ...(detail ? { detail } : {}) });

  const observe = (type: string, each: (entry: PerformanceEntry) => void, options: object = {}): void => {
    if (!window.PerformanceObserver?.supportedEntryTypes?.includes(type)) return;
    const observer = new window.PerformanceObserver(
      guard.wrap((list: PerformanceObserverEntryList) => list.getEntries().forEach(each)),
    );
    observer.observe({ type, buffered: true, ...options });
    observers.push(observer);
  };

  observe("paint", (entry) => {
    if (entry.name === "first-contentful-paint") send("FCP", entry.startTime);
  });
  observe("largest-contentful-paint", (entry) => send("LCP", entry.startTime));
  observe("longtask", (entry) =>
    send("long_task", entry.duration, { startTime: Math.round(entry.startTime) }),
  );
  observe(
    "layout-shift",
    layoutShifts((value) => send("CLS", value)),
  );
  let worst = 0;
  observe(
    "event",
    (entry) => {
      if (!(entry as EventTiming).interactionId || entry.duration <= worst) return;
      worst = entry.duration;
      send("INP", worst, { event: entry.name });
    },
    { durationThreshold: 40 },
  );
  observe("navigation", (entry) => {
    const { responseStart, domContentLoadedEventEnd, loadEventEnd } = entry as PerformanceNavigationTiming;
    // The entry is reported when the load begins and again when it ends.
    for (const [name, value] of [
      ["TTFB", responseStart],
      ["DCL", domContentLoadedEventEnd],
      ["load", loadEventEnd],
    ] as const) {
      if (value > 0 && !once.has(name)) send(name, value);
      if (value > 0) once.add(name);
    }
  });
  return () => {
    for (const observer of observers) observer.disconnect();
  };
}

function layoutShifts(report: (value: number) => void): (entry: PerformanceEntry) => void {
  let score = 0;
  let worst = 0;
  let first = 0;
  let last = 0;
  return (entry) => {
    const { value, hadRecentInput, startTime } = entry as LayoutShift;
    if (hadRecentInput) return;
    const sameWindow = startTime - last < SHIFT_GAP_MS && startTime - first < SHIFT_WINDOW_MS;
    if (!sameWindow) {
      score = 0;
      first = startTime;
    }
    last = startTime;
    score += value;
    if (score > worst) {
      worst = score;
      report(worst);
    }
  };
}
