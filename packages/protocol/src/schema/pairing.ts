import { z } from "zod";

/** 32 bytes in lowercase hex. */
const hex = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex digits");

function step<Method extends string, Params extends z.ZodRawShape>(method: Method, params: Params) {
  return z.object({ method: z.literal(method), params: z.object(params) });
}

/** The first message of the extension, on both of its wires. */
export const pairHelloSchema = step("pairHello", { version: z.literal(1), nonce: hex });
/** The hub's answer: its own nonce, and the proof that it knows the pairing key. */
export const pairChallengeSchema = step("pairChallenge", { nonce: hex, proof: hex });
/** The extension's proof, sent only to a hub whose proof was right. */
export const pairProofSchema = step("pairProof", { proof: hex });
/** Both sides have proved themselves; the wire starts. */
export const pairedSchema = z.object({ method: z.literal("paired") });

/** What passes before anything else on the extension wire and on the console wire. */
export const handshakeMessageSchema = z.discriminatedUnion("method", [
  pairHelloSchema,
  pairChallengeSchema,
  pairProofSchema,
  pairedSchema,
]);
export type HandshakeMessage = z.infer<typeof handshakeMessageSchema>;
