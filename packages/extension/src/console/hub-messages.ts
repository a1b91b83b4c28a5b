import { stripControlCharacters, truncate } from "@debug-bridge/protocol";

/** The messages of the hub that the extension acts on. */
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

const MAX_CHARACTERS = 256 * 1024;
const MAX_LINE = 500;

/**
 * Reads a message of the hub. Returns an error text when it is invalid. The few members that matter are
 * checked by hand: the schemas would make the worker ten times as large.
 */
export function readHubMessage(data: unknown): HubMessage | string {
  if (typeof data !== "string") return "received a binary frame; the console wire is text";
  if (data.length > MAX_CHARACTERS)
    return `received a message of ${data.length} characters; the limit is ${MAX_CHARACTERS}`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return "received a message that is not JSON";
  }
  if (!isRecord(parsed)) return "received a message that is not an object";
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
        ? { type, version, id: payload.id.slice(0, MAX_LINE) }
        : "payload.id: is missing";
    default:
      return `type: "${line(String(type))}" is unknown`;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function line(text: string): string {
  return truncate(stripControlCharacters(text), MAX_LINE);
}
