import { classifyCdpMethod } from "./classify.js";
import { type Grant, grantFor } from "./grants.js";
import { OWN_CODE, readOnlyForm } from "./read-only.js";
import { lockedForm } from "./site-lock.js";

export type CdpParams = Readonly<Record<string, unknown>>;

/** What a client may do in a tab. */
export interface CdpAccess {
  readonly level: "full" | "read-only" | "site";
  /** The host that the tab is locked to, with its subdomains, when the level is `site`. */
  readonly site?: string;
  /** The profile-wide abilities of this client; `all` where no person decides about them. */
  readonly grants: ReadonlySet<Grant> | "all";
  /**
   * What the hub guarantees about code that a command runs. `own`: it is the hub's own page engine. `placed`: it is code
   * of a client, in a world where it cannot reach the page's own code. Without it read-only refuses code.
   */
  readonly code?: "own" | "placed" | undefined;
}

export type CdpVerdict =
  | {
      readonly allowed: true;
      /** What to send instead of the client's parameters. */
      readonly params?: CdpParams;
      /** Answer with success and send nothing: the command would leave the page as it is. */
      readonly acknowledge?: true;
    }
  | CdpRefusal;

export interface CdpRefusal {
  readonly allowed: false;
  readonly reason: "read_only" | "site_lock" | "grant_needed" | "never";
  readonly grant?: Grant;
  readonly site?: string;
}

const ALLOWED: CdpVerdict = { allowed: true };
const NEVER: CdpVerdict = { allowed: false, reason: "never" };

/**
 * Decides about a CDP command by the table of methods. The hub and the extension both ask here. A method that is not in
 * the table is refused outside full access.
 *
 * @example judgeCdp("Page.navigate", { url }, { level: "read-only", grants: "all" }) // { allowed: false, reason: "read_only" }
 */
export function judgeCdp(method: string, params: CdpParams | undefined, access: CdpAccess): CdpVerdict {
  const found = classifyCdpMethod(method);
  if (found === "never") return NEVER;
  if (access.level === "full") return found === "profile" ? judgeGrant(method, params, access) : ALLOWED;
  if (access.code === "own" && OWN_CODE.has(method)) return ALLOWED;
  if (access.level === "read-only") {
    const form = readOnlyForm(method, params, access.code);
    if (form.kind === "refuse") return { allowed: false, reason: "read_only" };
    if (form.kind === "acknowledge") return { allowed: true, acknowledge: true };
    return form.params === params ? ALLOWED : { allowed: true, params: form.params };
  }
  const site = access.site ?? "";
  const form = lockedForm(method, params ?? {}, found, site);
  if (form === "refuse") return { allowed: false, reason: "site_lock", site };
  if (form === "grant") return judgeGrant(method, params, access);
  return form === params ? ALLOWED : { allowed: true, params: form };
}

function judgeGrant(method: string, params: CdpParams | undefined, { grants }: CdpAccess): CdpVerdict {
  if (grants === "all") return ALLOWED;
  // Clients send it while they connect. Events need no grant; a folder does.
  if (method === "Browser.setDownloadBehavior" && params?.downloadPath === undefined) return ALLOWED;
  const grant = grantFor(method);
  return grants.has(grant) ? ALLOWED : { allowed: false, reason: "grant_needed", grant };
}
