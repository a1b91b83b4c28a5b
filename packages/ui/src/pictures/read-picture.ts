import { CHAT_LIMITS, type SentImage } from "@debug-bridge/protocol";
import { dataUrl } from "./picture-cache.js";

/** What models look at; larger ones are made smaller, which also saves tokens. */
const MAX_SIDE = 2_048;
const KEPT_BYTES = 2 * 1024 * 1024;
const KEPT_TYPES = /^image\/(?:png|jpeg|webp)$/;

/** A file that the person pasted, dropped or chose, as a picture that can be sent. Rejects in words for the person. */
export async function readPicture(file: File): Promise<SentImage> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error(`${file.name || "This"} is no picture that the browser can read.`);
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= KEPT_BYTES && KEPT_TYPES.test(file.type)) return await sentImage(file);
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    );
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await sentImage(await canvas.convertToBlob({ type: "image/webp", quality: 0.9 }));
  } finally {
    bitmap.close();
  }
}

async function sentImage(blob: Blob): Promise<SentImage> {
  const url = await dataUrl(blob);
  return { mimeType: blob.type as SentImage["mimeType"], data: url.slice(url.indexOf(",") + 1) };
}

export const urlOf = ({ mimeType, data }: SentImage): string => `data:${mimeType};base64,${data}`;

const bytesOf = ({ data }: SentImage): number => Math.floor((data.length * 3) / 4);

/** Why a picture cannot be added to these. */
export function whyNot(pictures: readonly SentImage[], added: SentImage): string | undefined {
  const { imagesOfMessage, messageImageBytes } = CHAT_LIMITS;
  if (pictures.length >= imagesOfMessage) return `A message can have at most ${imagesOfMessage} pictures.`;
  const bytes = [...pictures, added].reduce((sum, each) => sum + bytesOf(each), 0);
  if (bytes <= messageImageBytes) return undefined;
  return `The pictures of a message can have at most ${messageImageBytes / 1024 / 1024} MB together.`;
}
