/**
 * Whether a view of a browser should show that something takes time, after one more message of `browser_action`: while
 * the newest is a loading one. What is no JSON changes nothing. It needs nothing of its surroundings, so that a page
 * may have it as text.
 *
 * @example const [isLoading, setLoading] = useState(false); // on message: setLoading((was) => loadingAfter(was, event.data))
 */
export function loadingAfter(current: boolean, message: unknown): boolean {
  if (typeof message !== "string") return current;
  let logs: unknown;
  try {
    const parsed: unknown = JSON.parse(message);
    if (typeof parsed !== "object" || parsed === null) return current;
    logs = (parsed as { logs?: unknown }).logs;
  } catch {
    return current;
  }
  if (!Array.isArray(logs)) return false;
  return logs.some((log) => log?.type === "info" && log?.source === "tool" && log?.category === "loading");
}
