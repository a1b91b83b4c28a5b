import type { TabAccess } from "../schema/extension.js";
import type { Grant } from "./grants.js";
import { type CdpAccess, judgeCdp } from "./judge.js";
import { refusalCode, refusalMessage } from "./refusal.js";
import { restriction } from "./restricted.js";
import { isOnSite } from "./sites.js";

type Params = Readonly<Record<string, unknown>>;

/** What becomes of a command: it is sent with these parameters, answered without being sent, refused, or it needs a grant. */
export type Permit =
  | { readonly params: Params }
  | { readonly acknowledge: true }
  | { readonly error: string }
  | { readonly grant: Grant; readonly error: string };

/** In Chrome's words: clients recognise them. */
const INVALID_URL = JSON.stringify({ code: -32_000, message: "Cannot navigate to invalid URL" });

/** Why an address is out of bounds; `undefined` when it is allowed. */
export function forbiddenUrl(url: string, { level, site }: TabAccess): string | undefined {
  const restricted = restriction(url);
  if (restricted) return `not_supported: ${url.slice(0, 200)} is ${restricted}`;
  if (level !== "site" || url === "" || url === "about:blank" || isOnSite(url, site ?? "")) return undefined;
  return `forbidden_origin: this tab is locked to ${site} in the Debug Bridge popup; ${url.slice(0, 200)} is another site. Ask the person to change the tab's access`;
}

/** Decides about a CDP command by the table of methods and the access that the person gave. */
export function permitCommand(
  method: string,
  params: Params,
  access: CdpAccess,
  hubIsReadOnly = false,
): Permit {
  if (method === "Page.navigate") {
    const url = String(params.url ?? "");
    if (url !== "" && !URL.canParse(url)) return { error: INVALID_URL };
    if (restriction(url)) return { error: forbiddenUrl(url, access) as string };
  }
  const own = judge(method, params, access, "person");
  if (!hubIsReadOnly || !("params" in own)) return own;
  return judge(method, own.params, { ...access, level: "read-only" }, "hub");
}

function judge(method: string, params: Params, access: CdpAccess, setBy: "person" | "hub"): Permit {
  const verdict = judgeCdp(method, params, access);
  if (verdict.allowed)
    return verdict.acknowledge ? { acknowledge: true } : { params: verdict.params ?? params };
  const error = `${refusalCode(verdict)}: ${refusalMessage(verdict, method, setBy)}`;
  return verdict.grant === undefined ? { error } : { error, grant: verdict.grant };
}
