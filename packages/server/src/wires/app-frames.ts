import { APP_MESSAGE_LIMITS, BridgeError, type Chunk, type ChunkJoiner } from "@debug-bridge/protocol";
import {
  check,
  chunkSchema,
  type Decoded,
  decode,
  idField,
  parseBounded,
} from "@debug-bridge/protocol/schemas";

export interface RefusedRequest {
  readonly requestType: string;
  readonly requestId?: string;
}

/** The request that a refused frame was, if it has a type. */
export function readRequest(text: string): RefusedRequest | undefined {
  const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  const { type, requestId } = parsed.value as { type?: unknown; requestId?: unknown };
  if (typeof type !== "string") return undefined;
  const id = check(idField, requestId);
  return { requestType: type.slice(0, 100), ...(id.ok ? { requestId: id.value } : {}) };
}

/** Whether a refused frame was meant as the answer to a command. */
export function isAnswer(text: string): boolean {
  const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
  return parsed.ok && (parsed.value as { type?: unknown } | null)?.type === "command_result";
}

/** The whole message once its last chunk has arrived; `undefined` before. */
export function joinChunk(
  chunks: ChunkJoiner,
  text: string,
  error: BridgeError,
): Decoded<string> | undefined {
  if (error.code !== "unknown_type" || !text.includes('"chunk"')) return { ok: false, error };
  const chunk: Decoded<Chunk> = decode(chunkSchema, text, APP_MESSAGE_LIMITS);
  if (!chunk.ok) return chunk;
  try {
    const whole = chunks.add(chunk.value);
    return whole === undefined ? undefined : { ok: true, value: whole };
  } catch (thrown) {
    return { ok: false, error: BridgeError.from(thrown) };
  }
}
