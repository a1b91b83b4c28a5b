import type { ImageType } from "@debug-bridge/protocol";

export interface ImageInfo {
  readonly mimeType: ImageType;
  readonly width?: number;
  readonly height?: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What a picture is, by its own bytes: what somebody says about it does not count. Undefined for anything else. */
export function imageInfo(bytes: Buffer): ImageInfo | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return { mimeType: "image/png", ...pngSize(bytes) };
  if (bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff)
    return { mimeType: "image/jpeg", ...jpegSize(bytes) };
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP")
    return { mimeType: "image/webp", ...webpSize(bytes) };
  return undefined;
}

type Size = { readonly width: number; readonly height: number } | undefined;

function pngSize(bytes: Buffer): Size {
  if (bytes.length < 24 || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size is in the first frame header; other segments come before it. */
function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
