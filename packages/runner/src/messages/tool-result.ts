import type { BrowserResponse, ImageContent } from "@debug-bridge/protocol";
import type { TextBlock } from "./content.js";

/**
 * The content of a tool's result: a response with screenshots is its text, then the screenshots; a string stays as it
 * is; everything else is JSON.
 *
 * @example toolResultContent(response)
 */
export function toolResultContent(result: unknown): string | (TextBlock | ImageContent)[] {
  if (typeof result === "string") return result;
  const { screenshots, ...rest } = (result ?? {}) as Partial<BrowserResponse>;
  const images = [screenshots?.pre, screenshots?.post].filter((image) => image !== undefined);
  if (images.length === 0) return JSON.stringify(result) ?? "null";
  return [{ type: "text", text: JSON.stringify(rest) }, ...images];
}
