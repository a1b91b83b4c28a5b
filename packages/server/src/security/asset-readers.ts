import { BridgeError } from "@debug-bridge/protocol";
import { type GateOptions, mayBeApp } from "./gate.js";

/** The headers with which a browser says for which page it requests a file. */
export interface AssetRequest {
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  /** `Sec-Fetch-Site` and `Sec-Fetch-Mode`; only browsers send them. */
  readonly site: string | undefined;
  readonly mode: string | undefined;
}

/**
 * Throws when a page asks for a file of the hub that may not connect as an app either: a script that loads would show any
 * site that a hub is running. Programs, the hub's own pages, and pages that a person opens may have them.
 */
export function checkReader({ origin, referer, site, mode }: AssetRequest, options: GateOptions): void {
  if (site === undefined || site === "same-origin" || site === "none" || mode === "navigate") return;
  const page =
    origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);
  if (page !== undefined && mayBeApp(page, options)) return;
  const advice =
    page === undefined
      ? 'a page that sends no Referer needs the attribute crossorigin on the script, or referrerpolicy="origin"'
      : `start the hub with --allow-origin ${page} if this page is yours`;
  throw new BridgeError(
    "forbidden_origin",
    `pages of ${page ?? "an unknown origin"} may not load files of the hub; ${advice}`,
  );
}
