import { type Receipt, truncate } from "@debug-bridge/protocol";
import type { Happenings } from "./activity.js";

const MAX_ENTRIES = 50;
/** Reported among the lines of the console, and easily taken for one. */
const DIALOG = /^(?:alert|confirm|prompt|beforeunload)$/;

type HappeningLists = { [Name in "console" | "errors" | "requests"]: NonNullable<Receipt[Name]> };

/** What happened, as the lists of a receipt. */
export function happeningLists(happened: Happenings): HappeningLists {
  return {
    console: happened.console.map(({ level, method = "", args }) => ({
      level,
      text: truncate(`${DIALOG.test(method) ? `${method}: ` : ""}${args.join(" ")}`, 500),
    })),
    errors: happened.errors.map((text) => truncate(text, 500)),
    requests: happened.requests.map(({ method, url, status, durationMs: ms, error, open }) => ({
      method,
      url,
      ...(open || status === undefined ? {} : { status }),
      ...(ms === undefined ? {} : { durationMs: ms }),
      ...(error === undefined ? {} : { error }),
    })),
  };
}

/** Empty lists are left out, long ones cut; what was cut is counted. */
export function cut(lists: Record<string, unknown[]>): Partial<Receipt> {
  let omitted = 0;
  const out: Record<string, unknown> = {};
  for (const [name, list] of Object.entries(lists)) {
    if (list.length === 0) continue;
    omitted += Math.max(0, list.length - MAX_ENTRIES);
    out[name] = list.slice(0, MAX_ENTRIES);
  }
  return { ...(out as Partial<Receipt>), ...(omitted > 0 ? { omitted } : {}) };
}
