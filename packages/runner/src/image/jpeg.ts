import jpeg from "jpeg-js";

/** A decoded picture: four bytes for each pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const MAX_MEGAPIXELS = 100;

export function decodeJpeg(bytes: Uint8Array): Pixels {
  return jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: true,
    maxResolutionInMP: MAX_MEGAPIXELS,
    maxMemoryUsageInMB: 2_048,
  });
}

export function encodeJpeg({ width, height, data }: Pixels, quality: number): Uint8Array {
  return jpeg.encode(
    { width, height, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) },
    quality,
  ).data;
}

/** A smaller picture. Each pixel is the mean of those it replaces; the aspect ratio stays the same. */
export function scaleDown(picture: Pixels, factor: number): Pixels {
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const data = new Uint8Array(width * height * 4);
  const edges = (count: number, total: number): Uint32Array =>
    Uint32Array.from({ length: count + 1 }, (_, i) => Math.floor((i * total) / count));
  const columns = edges(width, picture.width);
  const rows = edges(height, picture.height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const mean = meanOf(
        picture,
        columns[x] as number,
        columns[x + 1] as number,
        rows[y] as number,
        rows[y + 1] as number,
      );
      data.set(mean, (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

function meanOf(
  picture: Pixels,
  left: number,
  right: number,
  top: number,
  bottom: number,
): [number, number, number, number] {
  let [r, g, b, count] = [0, 0, 0, 0];
  for (let y = top; y < Math.max(bottom, top + 1); y++) {
    for (let x = left; x < Math.max(right, left + 1); x++) {
      const at = (y * picture.width + x) * 4;
      r += picture.data[at] as number;
      g += picture.data[at + 1] as number;
      b += picture.data[at + 2] as number;
      count++;
    }
  }
  return [r / count, g / count, b / count, 255];
}
