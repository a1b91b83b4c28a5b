import pixelmatch from "pixelmatch";
import { decodeJpeg } from "./jpeg.js";

/**
 * The part of a picture that differs from another, from 0 to 1. Pictures of different sizes differ as a whole.
 *
 * @example visualChange(before, after) >= 0.05
 */
export function visualChange(before: Uint8Array, after: Uint8Array): number {
  if (Buffer.compare(before, after) === 0) return 0;
  const [a, b] = [decodeJpeg(before), decodeJpeg(after)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 }) / (a.width * a.height);
}
