import type { Masker } from "./mask.js";
import type { TelemetryBody } from "./telemetry.js";

const STACK_LENGTH = 16_384;
const BODY_LENGTH = 16_384;

/** Masks a record that was captured outside the page (by CDP), as the hooks mask their own while they capture. */
export function maskRecord(record: TelemetryBody, masker: Masker): TelemetryBody {
  switch (record.type) {
    case "console":
      return {
        ...record,
        args: record.args.map((arg) => masker.body(arg)),
        ...(record.location
          ? { location: { ...record.location, url: masker.url(record.location.url) } }
          : {}),
      };
    case "error":
    case "unhandledrejection": {
      const masked = { ...record };
      for (const field of ["message", "stack", "reason"] as const) {
        const text = masked[field];
        if (text !== undefined) masked[field] = masker.fit(text, STACK_LENGTH);
      }
      if (masked.filename !== undefined) masked.filename = masker.url(masked.filename);
      if (masked.type === "error" && masked.resource)
        masked.resource = { ...masked.resource, url: masker.url(masked.resource.url) };
      return masked;
    }
    case "network":
      return {
        ...record,
        url: masker.url(record.url),
        ...(record.body === undefined ? {} : { body: masker.fit(record.body, BODY_LENGTH) }),
      };
    case "navigation":
      return { ...record, from: masker.url(record.from), to: masker.url(record.to) };
    default:
      return record;
  }
}
