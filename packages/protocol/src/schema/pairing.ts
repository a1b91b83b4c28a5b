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

const publicKey = z.string().regex(/^04[0-9a-f]{128}$/, "must be a P-256 point in raw form, as hex");

/** Starts pairing by a code, on the path `/pair`. */
export const codeHelloSchema = step("codeHello", { version: z.literal(1), publicKey });
/** The hub's key, and the hash of the nonce that it reveals later. */
export const codeCommitSchema = step("codeCommit", { publicKey, commitment: hex });
export const codeNonceSchema = step("codeNonce", { nonce: hex });
/** From here on both ends show the code. */
export const codeRevealSchema = step("codeReveal", { nonce: hex });
/** The person confirmed the code in the popup. */
export const codeConfirmSchema = step("codeConfirm", { confirmation: hex });
/** The person confirmed the code in the terminal too: the pairing key, encrypted. */
export const codeKeySchema = step("codeKey", {
  iv: z.string().regex(/^[0-9a-f]{24}$/),
  sealed: z.string().regex(/^[0-9a-f]{96}$/),
});

/** Pairing by a code. */
export const codeMessageSchema = z.discriminatedUnion("method", [
  codeHelloSchema,
  codeCommitSchema,
  codeNonceSchema,
  codeRevealSchema,
  codeConfirmSchema,
  codeKeySchema,
]);
export type CodeMessage = z.infer<typeof codeMessageSchema>;

/** `POST /panel/hello` of a page of the extension; the hub answers with its own nonce and its proof. */
export const panelHelloSchema = z.strictObject({ version: z.literal(1), nonce: hex });
/** `POST /panel/prove`: the hub's nonce, and the proof of the page. */
export const panelProveSchema = z.strictObject({ nonce: hex, proof: hex });
