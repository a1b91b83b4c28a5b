import type { CommandResult } from "@debug-bridge/protocol";
import type { ToolImage } from "../tool.js";

/** An image in a result; `undefined` for anything else, which a page could answer with. */
export function readImage(value: unknown): ToolImage | undefined {
  const { mimeType, data } = Object(value) as Partial<ToolImage>;
  const isImage =
    typeof data === "string" &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(data) &&
    /^image\/(jpeg|png|webp)$/.test(mimeType ?? "");
  return isImage ? { mimeType: mimeType as string, data } : undefined;
}

/** The pictures of an edit beside the rest of its result, which keeps their names and times. */
export function splitPictures(result: CommandResult): { result: CommandResult; images: ToolImage[] } {
  const { value, ...rest } = result;
  const { pictures = {} } = Object(value) as { pictures?: Record<string, unknown> };
  const images = ["before", "after"].flatMap((name) => readImage(pictures[name]) ?? []);
  return { result: images.length > 0 ? (rest as CommandResult) : result, images };
}
