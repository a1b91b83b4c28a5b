import { imageInfo, readRegularBytes } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";

/** A picture for a model, from a file that the person named. */
export function readImage(file: string): { mediaType: string; data: string } {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(file, { followLinks: true });
  } catch (thrown) {
    throw new BridgeError("invalid_message", `${file} cannot be read: ${(thrown as Error).message}`);
  }
  const info = imageInfo(bytes);
  if (info) return { mediaType: info.mimeType, data: bytes.toString("base64") };
  throw new BridgeError("invalid_message", `${file} is neither PNG nor JPEG nor WebP; convert it first`);
}
