import type { BrowserResponse, ImageContent } from "@debug-bridge/protocol";
import { match, P } from "ts-pattern";
import type { TextBlock } from "./content.js";

/**
 * The content of a tool's result: a response with pictures is its text, then the pictures; a string stays as it is;
 * everything else is JSON.
 *
 * @example toolResultContent(await handleBrowserInstruction(xml, { sessionId: "s1" }))
 */
export function toolResultContent(result: unknown): string | (TextBlock | ImageContent)[] {
  return match(result)
    .with(P.string, (text) => text)
    .with(
      { screenshots: P.union({ pre: P.nonNullable }, { post: P.nonNullable }) },
      (response): (TextBlock | ImageContent)[] => {
        const { screenshots, ...rest } = response as unknown as BrowserResponse;
        const images = [screenshots?.pre, screenshots?.post].filter((image) => image !== undefined);
        return [{ type: "text", text: JSON.stringify(rest) }, ...images];
      },
    )
    .otherwise((value) => JSON.stringify(value) ?? "null");
}
