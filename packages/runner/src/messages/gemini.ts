import type { ImageContent } from "@debug-bridge/protocol";
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
  switch (block.type) {
    case "text":
    case "image":
      return [plainPart(block)];
    case "tool_use":
      return [{ functionCall: { id: block.id, name: block.name, args: { ...block.input } } }];
    case "tool_result":
      return [
        {
          functionResponse: {
            id: block.tool_use_id,
            name: nameOf(block.tool_use_id),
            response: { [block.is_error ? "error" : "output"]: resultText(block) },
          },
        },
        ...(typeof block.content === "string" ? [] : block.content.filter(isImage).map(plainPart)),
      ];
  }
}

function plainPart(part: TextBlock | ImageContent): GeminiPart {
  if (part.type === "text") return { text: part.text };
  return { inlineData: { mimeType: part.source.media_type, data: part.source.data } };
}
