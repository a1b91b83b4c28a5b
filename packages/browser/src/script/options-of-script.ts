import { CAPTURE_SWITCHES } from "@debug-bridge/page/capture";
import type { DebugBridgeOptions } from "../options.js";

const SWITCHES = [...CAPTURE_SWITCHES, "mark", "allowProduction"] as const;

/** `data-ui-tree` for `enableUiTree`, `data-bodies` for `captureBodies`; the others by their own names. */
const attributeOf = (option: string): string =>
  option.replace(/^(?:enable|capture)(.)/, (_, first: string) => first.toLowerCase());

/**
 * Options from the script tag that loads the SDK: `data-session`, `data-url` (several with a space between), `data-token`, `data-app-name`,
 * `data-app-version`, `data-redact` (comma-separated) and a switch for each feature, such as `data-eval="true"`.
 *
 * @example optionsOfScript("http://127.0.0.1:4000/sdk.js", { session: "shop", eval: "" }, "localhost")
 */
export function optionsOfScript(
  src: string,
  data: Readonly<Record<string, string | undefined>>,
  fallback: string,
): DebugBridgeOptions {
  const hub = new URL("/debug", src);
  hub.protocol = hub.protocol === "https:" ? "wss:" : "ws:";
  const switches: Partial<Record<(typeof SWITCHES)[number], boolean>> = {};
  for (const option of SWITCHES) {
    const value = data[attributeOf(option)];
    if (value !== undefined) switches[option] = value !== "false" && value !== "off";
  }
  return {
    url: data.url?.split(" ") ?? hub.href,
    sessionId: data.session ?? data.sessionId ?? (fallback || "default"),
    ...(data.token ? { headers: { Authorization: `Bearer ${data.token}` } } : {}),
    ...(data.appName ? { appName: data.appName } : {}),
    ...(data.appVersion ? { appVersion: data.appVersion } : {}),
    ...(data.redact ? { redact: data.redact.split(",").map((each) => each.trim()) } : {}),
    ...switches,
  };
}
