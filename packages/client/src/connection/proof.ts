import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type RequestOptions, request } from "./request.js";

/** Nonces that a hub answers. */
const NONCE = /^[A-Za-z0-9_-]{16,128}$/;
const HEALTH_TIMEOUT_MS = 2_000;
const MAX_HEALTH_BYTES = 64_000;

/** What `GET /healthz` answers. */
export interface HubHealth {
  readonly ok: boolean;
  readonly version: string;
  /** Whether the hub showed that it knows the token. */
  readonly isProven: boolean;
}

/**
 * What a hub answers to `GET /healthz?nonce=`: an HMAC-SHA256 of the nonce under the token, in hex. It shows that the
 * hub knows the token and reveals nothing about it. `undefined` for a nonce that is too short, too long or not base64url.
 */
export function hubProof(token: string, nonce: string): string | undefined {
  return NONCE.test(nonce) ? createHmac("sha256", token).update(nonce).digest("hex") : undefined;
}

/**
 * Asks a hub who it is, and lets it prove that it knows the token. The token itself is not sent. `undefined` if no hub
 * answers at this address.
 */
export async function checkHub(
  url: string,
  token: string | undefined,
  options: Pick<RequestOptions, "background" | "agent"> = {},
): Promise<HubHealth | undefined> {
  const nonce = randomBytes(24).toString("base64url");
  try {
    const { status, text } = await request(`${url}/healthz?nonce=${nonce}`, {
      ...options,
      timeoutMs: HEALTH_TIMEOUT_MS,
      maxBytes: MAX_HEALTH_BYTES,
    });
    const body = JSON.parse(text) as { ok?: unknown; version?: unknown; proof?: unknown } | null;
    if (status !== 200 || body?.ok !== true) return undefined;
    const isProven = token !== undefined && isSame(body.proof, hubProof(token, nonce));
    return { ok: true, version: String(body.version ?? ""), isProven };
  } catch {
    return undefined;
  }
}

function isSame(given: unknown, wanted: string | undefined): boolean {
  if (typeof given !== "string" || wanted === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
