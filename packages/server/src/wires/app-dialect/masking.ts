import { maskRecord, type TelemetryBody } from "@debug-bridge/driver";
import { MASK } from "@debug-bridge/protocol";
import { maskData, masker } from "../../security/mask-data.js";

/* This SDK masks nothing in the page, so its messages are masked where they come in. */

export const maskText = masker.body;

export function maskTelemetry(record: TelemetryBody): TelemetryBody {
  return maskRecord(record, masker);
}

/** Whether the value of a field with one of these names must not be seen. */
export function isSecretField(type: unknown, names: readonly (string | undefined)[]): boolean {
  return type === "password" || names.some((name) => name !== undefined && masker.hides(name));
}

/** One scope of the page's state. Of cookies only the names are shown: each of them may be a login. */
export function maskState(scope: string, state: unknown): unknown {
  if (scope !== "cookies" || typeof state !== "object" || state === null) return maskData(state, scope);
  return Object.fromEntries(Object.keys(state).map((name) => [name, MASK]));
}
