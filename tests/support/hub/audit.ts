import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The audit log of a home as text: the acts, then the refusals. */
export function auditText(home: string): string {
  return ["audit.jsonl", "audit-refused.jsonl"]
    .map((name) => join(home, name))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))
    .join("");
}

/** Its records; one that was counted instead of written is there as often as it was counted. */
export function auditRecords(home: string): Record<string, unknown>[] {
  return auditText(home)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .flatMap(({ count = 1, ...record }) => Array.from({ length: count as number }, () => record));
}
