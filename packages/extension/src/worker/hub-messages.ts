import { stripControlCharacters, truncate } from "@debug-bridge/protocol";

/** What the hub may say, as far as the extension acts on it. */
export type HubMessage =
  | {
      readonly type: "connection_status";
      readonly version: string;
      readonly status: string;
      readonly cliVersion?: string;
    }
  | {
      readonly type: "error";
      readonly version: string;
      readonly code: string;
      readonly message: string;
      readonly supportedVersions: readonly string[];
    }
  | { readonly type: "ping"; readonly version: string; readonly id: string }
  | { readonly type: "pong"; readonly version: string; readonly id: string };

const MOST_BYTES = 256 * 1024;
const LINE = 500;

/**
 * Reads a message of the hub; a text that says what is wrong with it when it is none. The few members that matter are
 * checked here by hand: the schemas would make the worker ten times as large.
 */
export function readHubMessage(data: unknown): HubMessage | string {
  if (typeof data !== "string") return "a binary frame came; the console wire is text";
  if (data.length > MOST_BYTES)
    return `a message of ${data.length} characters came; at most ${MOST_BYTES} are read`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return "a message came that is not JSON";
  }
  if (!isRecord(parsed)) return "a message came that is not an object";
  const { version, type, payload } = parsed;
  if (typeof version !== "string" || !/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version))
    return "version: must be like 1.0.0";
  if (!isRecord(payload)) return "payload: is missing";
  switch (type) {
    case "connection_status": {
      const { status, clientInfo } = payload;
      if (typeof status !== "string") return "payload.status: is missing";
      const cliVersion = isRecord(clientInfo) ? clientInfo.cliVersion : undefined;
      return {
        type,
        version,
        status,
        ...(typeof cliVersion === "string" ? { cliVersion: line(cliVersion) } : {}),
      };
    }
    case "error": {
      const { code, message, details } = payload;
      if (typeof code !== "string" || typeof message !== "string")
        return "payload: an error needs code and message";
      const supported =
        isRecord(details) && Array.isArray(details.supportedVersions) ? details.supportedVersions : [];
      return {
        type,
        version,
        code: line(code),
        message: line(message),
        supportedVersions: supported
          .filter((item) => typeof item === "string")
          .slice(0, 20)
          .map(line),
      };
    }
    case "ping":
    case "pong":
      return typeof payload.id === "string" && payload.id !== ""
        ? { type, version, id: payload.id.slice(0, LINE) }
        : "payload.id: is missing";
    default:
      return `type: "${line(String(type))}" is not known`;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function line(text: string): string {
  return truncate(stripControlCharacters(text), LINE);
}
