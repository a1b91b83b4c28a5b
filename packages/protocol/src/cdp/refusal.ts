import type { ErrorCode } from "../errors.js";
import { GRANT_TEXT } from "./grants.js";
import type { CdpRefusal } from "./judge.js";

const CODE_OF: Readonly<Record<CdpRefusal["reason"], ErrorCode>> = {
  read_only: "read_only",
  site_lock: "forbidden_origin",
  grant_needed: "grant_needed",
  never: "not_supported",
};

/** The error code of a refusal. */
export function refusalCode({ reason }: CdpRefusal): ErrorCode {
  return CODE_OF[reason];
}

/** The message of a refusal. It names the setting that refuses and who can change it. */
export function refusalMessage(
  refusal: CdpRefusal,
  method: string,
  setBy: "person" | "hub" = "person",
): string {
  switch (refusal.reason) {
    case "read_only":
      return setBy === "hub"
        ? `the hub was started with --read-only, and ${method} is not a read; use commands that only look, or ask the person who started the hub to start it without --read-only`
        : `the tab has "access: read-only", and ${method} is not a read; use commands that only look, or ask the person to change the access in the Debug Bridge popup`;
    case "site_lock":
      return `the tab is locked to ${refusal.site}, and ${method} reaches beyond that site; ask the person to change the access in the Debug Bridge popup`;
    case "grant_needed": {
      const grant = refusal.grant ?? "cookies";
      return `${method} needs "grant: ${grant}" (${GRANT_TEXT[grant]}); ask the person to allow it in the Debug Bridge popup`;
    }
    case "never":
      return `${method} reaches beyond the tabs of this browser, which belongs to a person; it is refused for every client`;
  }
}
