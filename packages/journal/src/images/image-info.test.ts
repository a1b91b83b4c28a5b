import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageInfo } from "./image-info.js";

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ""), "hex");
const riff = (text: string): Buffer => hex(`52494646 00000000 57454250 ${text} ${"00".repeat(8)}`);

describe("what a picture is", () => {
  it.each([
    ["image/png", 40, 30, hex("89504e470d0a1a0a 0000000d 49484452 00000028 0000001e 0800000000")],
    ["image/jpeg", 40, 30, hex("ffd8 ffe0 0004 4a46 ffc0 0011 08 001e 0028 03 01 22 00")],
    ["image/webp", 40, 30, riff("56503858 0a000000 00000000 270000 1d0000")],
    ["image/webp", 40, 30, riff("5650384c 00000000 2f 27400700")],
    ["image/webp", 40, 30, riff("56503820 00000000 000000 9d012a 2800 1e00")],
  ])("is %s of %i x %i, by its bytes", (mimeType, width, height, bytes) => {
    expect(imageInfo(bytes)).toEqual({ mimeType, width, height });
  });

  it("image info is undefined for other files, and any bytes can be read without an error", () => {
    for (const text of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "GIF89a", "", "RIFFxxxxWAVE"])
      expect(imageInfo(Buffer.from(text))).toBeUndefined();
    const starts = [hex("89504e470d0a1a0a"), hex("ffd8ff"), hex("ffd8ffe0"), riff("")];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array(), (start, rest) => {
        expect(imageInfo(Buffer.concat([start, rest]))?.mimeType ?? "").toMatch(/^(image\/\w+)?$/);
      }),
    );
  });
});
