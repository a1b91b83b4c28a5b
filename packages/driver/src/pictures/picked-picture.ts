import { setTimeout as sleep } from "node:timers/promises";
import type { TelemetryBody } from "@debug-bridge/page/records";
import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";

/** The person has seen that they picked: the record does not wait longer for its picture. */
const TIMEOUT_MS = 3_000;
/** Characters of the base64: larger pictures do not belong in a timeline. */
const MAX_LENGTH = 128 * 1_024;

const COMMAND = {
  type: "screenshot",
  sessionId: "driver",
  timestamp: 0,
  origin: "agent",
  quality: 60,
} as const;

/** A record of an element that the person picked, with a picture of it if that can be taken. */
export async function withPicture(
  record: TelemetryBody,
  take: (command: CommandOf<"screenshot">) => Promise<CommandOutcome>,
): Promise<TelemetryBody> {
  if (record.type !== "picked" || record.ref === undefined) return record;
  const late = sleep(TIMEOUT_MS, undefined, { ref: false });
  const taken = await Promise.race([
    take({ ...COMMAND, target: { ref: record.ref } }).catch(() => undefined),
    late,
  ]);
  const { mimeType, data } = Object(taken?.value) as { mimeType?: unknown; data?: unknown };
  if (mimeType !== "image/jpeg" || typeof data !== "string" || data.length > MAX_LENGTH) return record;
  return { ...record, picture: { mimeType, data } };
}
