import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../chrome/profile.js";

/** Who did what, when, and how it went. What was typed is never in it. */
export interface AuditRecord {
  readonly who: string;
  readonly what: string;
  readonly session: string;
  readonly target?: unknown;
  readonly outcome: string;
}

export type Audit = (record: AuditRecord) => void;

/** Appends to the audit log of a home, in the form that the hub writes. */
export function auditTo(home?: string): Audit {
  const folder = stateFolder(home);
  return (record) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const line = `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`;
      appendFileSync(join(folder, "audit.jsonl"), line, { mode: 0o600 });
    } catch {
      // An action is not refused because a disk is full.
    }
  };
}
