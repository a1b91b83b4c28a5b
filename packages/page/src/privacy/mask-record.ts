import { type ChainStep, type ConsoleArgument, MASK } from "@debug-bridge/protocol";
import { isSecretInFormat } from "../inert/secrets/format-secrets.js";
import type { TelemetryBody } from "../telemetry.js";
import { maskHeaders } from "./mask-headers.js";
import type { Masker } from "./masker.js";

const STACK_LENGTH = 16_384;
const BODY_LENGTH = 16_384;

/** Masks a record that was captured outside the page (by CDP), as the hooks mask their own while they capture. */
export function maskRecord(record: TelemetryBody, masker: Masker): TelemetryBody {
  const masked = maskFields(record, masker);
  const { chain } = masked as { chain?: readonly ChainStep[] };
  // Addresses of scripts may carry secrets, as any address.
  const withoutSecrets = chain?.map((step) => ({
    ...step,
    frames: step.frames.map((frame) => ({ ...frame, url: masker.url(frame.url) })),
  }));
  return withoutSecrets ? ({ ...masked, chain: withoutSecrets } as TelemetryBody) : masked;
}

function maskFields(record: TelemetryBody, masker: Masker): TelemetryBody {
  switch (record.type) {
    case "console":
      return {
        ...record,
        args: record.args.map((arg, index) =>
          isFormatSecret(record, index, masker) ? MASK : masker.body(arg),
        ),
        ...maskValues(record, masker),
        ...(record.location
          ? { location: { ...record.location, url: masker.url(record.location.url) } }
          : {}),
      };
    case "error":
    case "unhandledrejection": {
      const masked = { ...record, ...maskValues(record, masker) };
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
        ...(record.initiator?.url && {
          initiator: { ...record.initiator, url: masker.url(record.initiator.url) },
        }),
        ...(record.headers === undefined ? {} : { headers: maskHeaders(record.headers, masker) }),
      };
    case "navigation":
      return { ...record, from: masker.url(record.from), to: masker.url(record.to) };
    default:
      return record;
  }
}

/** Names were masked where the value was read; texts are masked here, where more is known. */
function maskValues(
  record: { readonly values?: ConsoleArgument[] | undefined },
  masker: Masker,
): { values?: ConsoleArgument[] } {
  const { values } = record;
  if (!values) return {};
  return {
    values: values.map((value, index) =>
      isFormatSecret(record, index, masker) ? { type: "string", value: MASK } : maskArgument(value, masker),
    ),
  };
}

/** Whether a value is secret by the format before it, as in `console.log("password=%s", value)`. */
function isFormatSecret(
  {
    values,
    method,
  }: { readonly values?: ConsoleArgument[] | undefined; readonly method?: string | undefined },
  index: number,
  masker: Masker,
): boolean {
  const formatAt = method === "assert" ? 1 : 0;
  const format = values?.[formatAt];
  const type = values?.[index]?.type;
  if (index <= formatAt || format?.type !== "string" || (type !== "string" && type !== "number"))
    return false;
  return isSecretInFormat(format.value, index - formatAt - 1, masker.hides);
}

function maskArgument(argument: ConsoleArgument, masker: Masker): ConsoleArgument {
  switch (argument.type) {
    case "string":
      return { ...argument, value: masker.body(argument.value) };
    case "error":
      return {
        ...argument,
        value: masker.body(argument.value),
        ...(argument.stack === undefined ? {} : { stack: masker.body(argument.stack) }),
        ...(argument.cause ? { cause: maskArgument(argument.cause, masker) } : {}),
      };
    case "array":
      return typeof argument.value === "string"
        ? { ...argument, value: masker.body(argument.value) }
        : { ...argument, value: argument.value.map((item) => maskArgument(item, masker)) };
    case "object":
      return typeof argument.value === "string"
        ? { ...argument, value: masker.body(argument.value) }
        : { ...argument, value: maskMembers(argument.value, masker) };
    default:
      return argument;
  }
}

function maskMembers(
  members: Record<string, ConsoleArgument>,
  masker: Masker,
): Record<string, ConsoleArgument> {
  const masked: [string, ConsoleArgument][] = Object.entries(members).map(([name, value]) => [
    name,
    masker.hides(name, value.type === "object" || value.type === "array" ? value : undefined)
      ? { type: "string", value: MASK }
      : maskArgument(value, masker),
  ]);
  return Object.fromEntries(masked);
}
