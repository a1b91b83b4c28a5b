import { BridgeError, type ErrorCode } from "@debug-bridge/protocol";

export type Params = Record<string, unknown>;

/** A command of a CDP client. */
export interface CdpMessage {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
  readonly sessionId: string;
  /** The client may look and not act. Chrome has to run it without side effects. */
  readonly onlyLooks?: boolean;
  /** It was sent before, and was not run. */
  readonly isRepeated?: boolean;
}

const METHOD = /^[A-Za-z]+\.[A-Za-z]+$/;

/** Reads one frame of a client; throws what is wrong with it. */
export function readMessage(text: string): CdpMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new BridgeError("invalid_message", `the message is not valid JSON: ${(thrown as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BridgeError("invalid_message", "a CDP message is an object with id and method");
  const { id, method, params, sessionId } = value as Record<string, unknown>;
  if (typeof id !== "number" || !Number.isSafeInteger(id))
    throw new BridgeError("invalid_message", `id is ${JSON.stringify(id)}; it must be a whole number`);
  if (typeof method !== "string" || method.length > 256 || !METHOD.test(method))
    throw new BridgeError("invalid_message", 'method must be a CDP method such as "Page.enable"', { id });
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    throw new BridgeError("invalid_message", `the params of ${method} must be an object`, { id });
  return {
    id,
    method,
    params: (params ?? {}) as Params,
    sessionId: typeof sessionId === "string" ? sessionId : "",
  };
}

/** An error as CDP carries it. */
export interface CdpFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const SERVER_ERROR = -32_000;
export const SESSION_GONE = -32_001;
export const METHOD_NOT_FOUND = -32_601;

export function failure(code: ErrorCode, message: string): CdpFailure {
  return { code: SERVER_ERROR, message, data: code };
}

export function busy(): CdpFailure {
  return failure("rate_limit", "not sent: too many commands wait for the browser; wait for results first");
}

/**
 * Reads the error text of an extension: the JSON that Chrome's debugger gives, `code: message` as a BridgeError writes
 * it, or any other text.
 */
export function readFailure(text: string): CdpFailure {
  if (text.startsWith("{")) {
    try {
      const { code, message, data } = JSON.parse(text) as Partial<CdpFailure>;
      if (typeof message === "string")
        return {
          code: typeof code === "number" ? code : SERVER_ERROR,
          message,
          ...(data === undefined ? {} : { data }),
        };
    } catch {
      // It only looks like JSON.
    }
  }
  const known = /^([a-z_]+): (.*)$/s.exec(text);
  return known ? failure(known[1] as ErrorCode, known[2] as string) : { code: SERVER_ERROR, message: text };
}
