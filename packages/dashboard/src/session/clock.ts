const two = (value: number): string => String(value).padStart(2, "0");

/** `14:03:22` */
export function clockTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "?";
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** `14:03:22.410` */
export function exactClockTime(at: number): string {
  return `${clockTime(at)}.${String(Math.floor(at) % 1_000).padStart(3, "0")}`;
}

/** `12 ms`, `3.4 s`, `2 min 5 s` */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `512 B`, `3.4 KB`, `12 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, "KB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
