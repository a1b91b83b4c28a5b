import { classifyCdpMethod, readOnlyForm } from "@debug-bridge/protocol";
import type { AccessSettings } from "../../settings/access.js";
import { restriction } from "./restricted.js";

type Params = Readonly<Record<string, unknown>>;

/** What becomes of a command: it is sent with these parameters, it is answered without being sent, or it is refused. */
export type Permit =
  | { readonly params: Params }
  | { readonly acknowledge: true }
  | { readonly error: string };

/** Who set read-only: the person in the popup, or the hub that sent the command. */
export type ReadOnlySource = "popup" | "hub";

/** Why an address is out of bounds; `undefined` when it is allowed. */
export function forbiddenUrl(url: string, { site }: AccessSettings): string | undefined {
  const restricted = restriction(url);
  if (restricted) return `not_supported: ${url.slice(0, 200)} is ${restricted}`;
  if (site === undefined || url === "" || url === "about:blank" || isOnSite(url, site)) return undefined;
  return `forbidden_origin: agents are locked to ${site} in the Debug Bridge popup; ${url.slice(0, 200)} is another site. Ask the person to change "Lock to a site"`;
}

/** Whether agents may see a tab at all. */
export function isOffered(
  tab: { readonly id: number; readonly url: string },
  settings: AccessSettings,
  handedOver: ReadonlySet<number>,
  revoked: ReadonlySet<number>,
): boolean {
  if (revoked.has(tab.id)) return false;
  if (settings.mode === "manual" && !handedOver.has(tab.id)) return false;
  return forbiddenUrl(tab.url, settings) === undefined;
}

/** Decides about a CDP command by the table in `@debug-bridge/protocol` and the person's settings. */
export function permitCommand(
  method: string,
  params: Params,
  settings: AccessSettings,
  hubIsReadOnly = false,
  isOwn = false,
): Permit {
  const accessClass = classifyCdpMethod(method);
  if (accessClass === "never")
    return { error: `not_supported: ${method} is not available to agents in a person's browser` };
  if (method === "Page.navigate") {
    const forbidden = forbiddenUrl(String(params.url ?? ""), settings);
    if (forbidden) return { error: forbidden };
  }
  if (settings.site !== undefined && accessClass === "profile")
    return {
      error: `forbidden_origin: agents are locked to ${settings.site} in the Debug Bridge popup; ${method} reaches other sites. Ask the person to change "Lock to a site"`,
    };
  if (!settings.readOnly && !hubIsReadOnly) return { params };
  const form = readOnlyForm(method, params, isOwn ? "own" : hubIsReadOnly ? "placed" : undefined);
  if (form.kind === "send") return { params: form.params };
  if (form.kind === "acknowledge") return { acknowledge: true };
  return { error: readOnlyError(method, settings.readOnly ? "popup" : "hub") };
}

/** The refusal of a command that acts. It names the setting and who can change it. */
export function readOnlyError(command: string, source: ReadOnlySource = "popup"): string {
  return source === "popup"
    ? `read_only: Read-only is on in the Debug Bridge popup; ${command} acts on the browser. Ask the person to turn it off`
    : `read_only: the hub was started with --read-only; ${command} acts on the browser. Restart the hub without it`;
}

function isOnSite(url: string, site: string): boolean {
  try {
    const { hostname, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return false;
    return hostname === site || hostname.endsWith(`.${site}`);
  } catch {
    return false;
  }
}
