import type { Page } from "playwright-core";

/** Share of the pixels of two pictures that clearly differ; 1 when their sizes do. The browser decodes them. */
export function differentShare(page: Page, stored: Buffer, taken: Buffer): Promise<number> {
  return page.evaluate(
    async ([a, b]) => {
      const pixels = async (base64: string | undefined): Promise<ImageData> => {
        const bytes = Uint8Array.from(atob(base64 ?? ""), (character) => character.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        if (!context) throw new Error("no canvas");
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [first, second] = [await pixels(a), await pixels(b)];
      if (first.width !== second.width || first.height !== second.height) return 1;
      let different = 0;
      for (let i = 0; i < first.data.length; i += 4) {
        const distance = [0, 1, 2].reduce(
          (sum, part) => sum + Math.abs((first.data[i + part] ?? 0) - (second.data[i + part] ?? 0)),
          0,
        );
        if (distance > 60) different++;
      }
      return different / (first.data.length / 4);
    },
    [stored.toString("base64"), taken.toString("base64")],
  );
}

/** What the fonts of this machine look like to a page: the widths of some texts. */
export function fontFingerprint(page: Page): Promise<string> {
  return page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    const widths = ["13px system-ui", "600 13px system-ui", "12px ui-monospace, monospace"].map((font) => {
      if (context) context.font = font;
      return [font, context?.measureText("Debug Bridge 0123456789 — agWQ•… ").width];
    });
    return `${JSON.stringify(Object.fromEntries(widths), null, 2)}\n`;
  });
}
