import { imageInfo } from "@debug-bridge/journal";
import { BridgeError, CHAT_LIMITS, type SentImage } from "@debug-bridge/protocol";

/** The bytes of the pictures of a message. Throws when one is none, or when they are too large together. */
export function readPictures(sent: readonly SentImage[]): Buffer[] {
  const pictures = sent.map(({ data }) => Buffer.from(data, "base64"));
  for (const [i, bytes] of pictures.entries())
    if (!imageInfo(bytes))
      throw new BridgeError(
        "invalid_message",
        `picture ${i + 1} is neither PNG nor JPEG nor WebP; send it as one of these`,
        { field: `context.images.${i}.data` },
      );
  const total = pictures.reduce((sum, { length }) => sum + length, 0);
  if (total > CHAT_LIMITS.messageImageBytes)
    throw new BridgeError(
      "too_large",
      `the pictures have ${total} bytes together; a message carries at most ${CHAT_LIMITS.messageImageBytes}`,
      { field: "context.images" },
    );
  return pictures;
}
