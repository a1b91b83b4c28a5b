import type { ImageContent } from "@debug-bridge/protocol";
import { match } from "ts-pattern";
import { blocksOf, type ContentBlock, isImage, type Message, type TextBlock } from "./content.js";
import { resultText } from "./openai.js";
import { type OnStripped, stripImages } from "./strip-images.js";

type GeminiPart =
  | { text: string }
  | { inlineData: { mimeType: string; data: string } }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> } }
  | { functionResponse: { id: string; name: string; response: Record<string, unknown> } };

export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}

/** Gemini names a tool in its result, which ours does not: the name is found by the call's id. */
export function toGemini(
  message: Message,
  model: string,
  images: boolean,
  onStripped: OnStripped,
  nameOf: (toolUseId: string) => string,
): GeminiContent[] {
  const { role, content } = images ? message : stripImages(message, model, onStripped);
  const parts = blocksOf(content).flatMap((block) => toParts(block, nameOf));
  return parts.length === 0 ? [] : [{ role: role === "assistant" ? "model" : "user", parts }];
}

function toParts(block: ContentBlock, nameOf: (toolUseId: string) => string): GeminiPart[] {
  return match<ContentBlock, GeminiPart[]>(block)
    .with({ type: "text" }, { type: "image" }, (part) => [plainPart(part)])
    .with({ type: "tool_use" }, ({ id, name, input }) => [{ functionCall: { id, name, args: { ...input } } }])
    .with({ type: "tool_result" }, (result) => [
      {
        functionResponse: {
          id: result.tool_use_id,
          name: nameOf(result.tool_use_id),
          response: { [result.is_error ? "error" : "output"]: resultText(result) },
        },
      },
      ...(typeof result.content === "string" ? [] : result.content.filter(isImage).map(plainPart)),
    ])
    .exhaustive();
}

function plainPart(part: TextBlock | ImageContent): GeminiPart {
  return match<TextBlock | ImageContent, GeminiPart>(part)
    .with({ type: "text" }, ({ text }) => ({ text }))
    .with({ type: "image" }, ({ source }) => ({
      inlineData: { mimeType: source.media_type, data: source.data },
    }))
    .exhaustive();
}
