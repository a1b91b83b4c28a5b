/** What can go wrong, across all wires. The code is for programs; the message explains what to do next. */
export const ERROR_CODES = [
  // the message itself
  "invalid_message",
  "unknown_type",
  "unsupported_version",
  "too_large",
  "rate_limit",
  // who asks
  "auth_required",
  "forbidden_host",
  "forbidden_origin",
  "read_only",
  "grant_needed",
  "lease_held",
  "conflict",
  // what it is about
  "session_not_found",
  "app_not_connected",
  "target_not_found",
  "ambiguous_target",
  "stale_ref",
  "not_actionable",
  "eval_disabled",
  "evaluation_failed",
  "tool_not_found",
  "tool_failed",
  "not_supported",
  "navigation_failed",
  "cursor_expired",
  // how it went
  "timeout",
  "cancelled",
  "outcome_unknown",
  "port_in_use",
  "internal",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Error codes of the console wire. */
export const CONSOLE_ERROR_CODES = [
  "INVALID_MESSAGE",
  "UNSUPPORTED_VERSION",
  "INTERNAL_ERROR",
  "RATE_LIMIT",
  "AUTH_REQUIRED",
] as const;

export type ConsoleErrorCode = (typeof CONSOLE_ERROR_CODES)[number];

const CONSOLE_CODE_OF: Partial<Record<ErrorCode, ConsoleErrorCode>> = {
  invalid_message: "INVALID_MESSAGE",
  unknown_type: "INVALID_MESSAGE",
  too_large: "INVALID_MESSAGE",
  unsupported_version: "UNSUPPORTED_VERSION",
  rate_limit: "RATE_LIMIT",
  auth_required: "AUTH_REQUIRED",
  forbidden_host: "AUTH_REQUIRED",
  forbidden_origin: "AUTH_REQUIRED",
};

const HTTP_STATUS_OF: Partial<Record<ErrorCode, number>> = {
  internal: 500,
  auth_required: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  read_only: 403,
  grant_needed: 403,
  eval_disabled: 403,
  session_not_found: 404,
  target_not_found: 404,
  tool_not_found: 404,
  app_not_connected: 409,
  ambiguous_target: 409,
  stale_ref: 409,
  lease_held: 409,
  conflict: 409,
  cursor_expired: 410,
  too_large: 413,
  rate_limit: 429,
  not_supported: 501,
  outcome_unknown: 502,
  timeout: 504,
};

export interface ErrorDetails {
  /** Path of the field that is wrong, such as `target.ref`. */
  readonly field?: string;
  readonly [key: string]: unknown;
}

/** How an error looks in HTTP answers and wherever a structured error travels. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
}

/**
 * The one error that crosses wires. It knows its form on each of them.
 *
 * @example throw new BridgeError("stale_ref", 'e12 was the button "Save"; it left the page', { candidates })
 */
export class BridgeError extends Error {
  override readonly name = "BridgeError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /**
   * Wraps whatever was thrown; a BridgeError stays as it is. When the SDK is two scripts, each has its own class:
   * an error of the other one keeps its code.
   */
  static from(thrown: unknown, code: ErrorCode = "internal"): BridgeError {
    if (thrown instanceof BridgeError) return thrown;
    const other = thrown as BridgeError | null | undefined;
    if (other?.name === "BridgeError") return new BridgeError(other.code, other.message, other.details);
    return new BridgeError(code, thrown instanceof Error ? thrown.message : String(thrown));
  }

  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.details ? { details: this.details } : {}),
    };
  }

  /** Fields of a failed `command_result` on the app wire: `error` is the code, as v1 peers expect. */
  toCommandResult(): {
    success: false;
    error: ErrorCode;
    message: string;
    details?: ErrorDetails;
    outcome?: "unknown";
  } {
    const { code: error, ...rest } = this.toBody();
    return {
      success: false,
      error,
      ...rest,
      ...(error === "outcome_unknown" ? { outcome: "unknown" as const } : {}),
    };
  }
}

/*
 * What follows needs tables of codes. As functions rather than methods, bundlers leave them out of pages.
 */

/** An error as it came over a wire. */
export interface ReceivedError {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
}

/** Rebuilds an error that came over a wire; an unknown code becomes `internal`. */
export function errorFromBody({ code, message, details }: ReceivedError): BridgeError {
  const known = (ERROR_CODES as readonly (string | undefined)[]).includes(code);
  return new BridgeError(
    known ? (code as ErrorCode) : "internal",
    message ?? code ?? "unknown error",
    details,
  );
}

/** HTTP status of an answer that carries this error. */
export function httpStatusOf({ code }: { readonly code: ErrorCode }): number {
  return HTTP_STATUS_OF[code] ?? 400;
}

/** Payload of an `error` message on the console wire. */
export function consolePayloadOf(error: BridgeError): {
  code: ConsoleErrorCode;
  message: string;
  details?: ErrorDetails;
} {
  return { ...error.toBody(), code: CONSOLE_CODE_OF[error.code] ?? "INTERNAL_ERROR" };
}
