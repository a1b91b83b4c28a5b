import { BridgeError, type CommandOf, type CommandOutcome } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import type { Activity } from "../receipt/activity.js";
import type { PageView } from "../view/view.js";

/** How long a document is not used after a navigation was started: the server may be slow. */
const LEAVING_TIMEOUT_MS = 10_000;
/** The answer must be sent before its page is gone. */
const ANSWER_FIRST_MS = 30;

/** Navigates to a URL. Within the document the effects are awaited; otherwise the answer comes first. */
export async function navigate(
  command: CommandOf<"navigate">,
  { view, activity }: { readonly view: PageView; readonly activity: Activity },
  acting: (act: () => void) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const { location } = view.page.defaultView as Window;
  const url = parse(command.url, location.href);
  if (
    url.protocol !== "http:" &&
    url.protocol !== "https:" &&
    url.protocol !== "file:" &&
    url.href !== "about:blank"
  ) {
    throw new BridgeError(
      "navigation_failed",
      `a page does not navigate to ${url.protocol} URLs; use http or https`,
      { field: "url" },
    );
  }
  const from = location.href;
  const sameDocument = url.hash !== "" && url.href.split("#")[0] === from.split("#")[0];
  if (sameDocument) return acting(() => location.assign(url.href));
  activity.leave(url.href, LEAVING_TIMEOUT_MS);
  platform.setTimeout(() => location.assign(url.href), ANSWER_FIRST_MS);
  const navigation = { from: view.masker.url(from), to: view.masker.url(url.href) };
  const receipt = { settled: false, durationMs: 0, navigation };
  const { waitUntil } = command;
  if (waitUntil === undefined || waitUntil === "commit") return { receipt };
  const message = `the page answers before it is left, so "${waitUntil}" was not awaited; wait for the next page's hello`;
  return { receipt, message };
}

function parse(url: string, base: string): URL {
  try {
    return new URL(url, base);
  } catch {
    throw new BridgeError("navigation_failed", `"${url}" is not a URL`, { field: "url" });
  }
}
