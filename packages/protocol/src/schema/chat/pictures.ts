import { z } from "zod";
import { CHAT_LIMITS } from "../../limits.js";
import { countField, filledLineField, idField, lineField, refField } from "../fields.js";

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The first 128 bits of the SHA-256 of a picture's bytes. */
export const imageIdField = z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a picture: 32 hex digits");

/** A picture that a chat keeps: `GET /v1/chats/:id/images/:imageId`. */
export const chatImageSchema = z.object({
  id: imageIdField,
  mimeType: z.enum(IMAGE_TYPES),
  width: countField.optional(),
  height: countField.optional(),
});
export type ChatImage = z.infer<typeof chatImageSchema>;

/** A picture that is sent with a message. Its bytes decide what it is, not `mimeType`. */
export const sentImageSchema = z.strictObject({
  mimeType: z.enum(IMAGE_TYPES),
  /** Base64. */
  data: z
    .string()
    .min(1)
    .max(Math.ceil(CHAT_LIMITS.imageBytes / 3) * 4, `must have at most ${CHAT_LIMITS.imageBytes} bytes`)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, "must be base64"),
});
export type SentImage = z.infer<typeof sentImageSchema>;

/** An element that the person picked in a page. All of it is page content. */
export const pickedElementSchema = z.strictObject({
  sessionId: idField,
  ref: refField,
  name: lineField,
  role: lineField,
  /** The source that it comes from, such as `src/App.tsx:12:3`. */
  source: filledLineField.optional(),
  html: z.string().max(CHAT_LIMITS.detail).optional(),
  /** Which of the message's pictures shows it. */
  imageIndex: countField.max(CHAT_LIMITS.imagesOfMessage - 1).optional(),
});
export type PickedElement = z.infer<typeof pickedElementSchema>;
