const STEPS: readonly (readonly [number, number, string])[] = [
  [60, 1, "s"],
  [3_600, 60, "min"],
  [86_400, 3_600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "d"],
];

/** How long ago something was: `now`, `5 min`, `3 d`. */
export function timeAgo(timestamp: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1_000));
  if (!(seconds >= 10)) return "now";
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 86_400, "d"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** The exact time, for a tooltip. */
export function exactTime(timestamp: string): string {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? timestamp : time.toLocaleString();
}
