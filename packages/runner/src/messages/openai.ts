import type { ImageContent } from "@debug-bridge/protocol";
import { isImage, type Message, type TextBlock, type ToolResultBlock, type ToolUseBlock } from "./content.js";
import { type OnStripped, stripImages } from "./strip-images.js";

type OpenAiPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

/** A message of OpenAI's chat completions. */
export type OpenAiMessage =
  | { role: "user"; content: string | OpenAiPart[] }
  | {
      role: "assistant";
      content: string | null;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };

/**
 * A message of ours with tool results becomes several OpenAI messages: one per tool result. Those hold only text, so the
 * pictures follow in a user message.
 */
export function toOpenAi(
  message: Message,
  model: string,
  images: boolean,
  onStripped: OnStripped,
): OpenAiMessage[] {
  const { role, content } = images ? message : stripImages(message, model, onStripped);
  if (typeof content === "string") return [{ role, content }];
  if (role === "assistant") {
    const text = content.filter((block) => block.type === "text").map((block) => block.text);
    const calls = content.filter((block) => block.type === "tool_use").map(toolCall);
    return [
      {
        role,
        content: text.length > 0 ? text.join("\n") : null,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      },
    ];
  }
  const results = content.filter((block) => block.type === "tool_result");
  const own = content.filter((block) => block.type === "text" || block.type === "image");
  const pictures = results.flatMap(({ content: parts }) =>
    typeof parts === "string" ? [] : parts.filter(isImage),
  );
  const parts = [...pictures, ...own].map(toPart);
  return [
    ...results.map((result) => ({
      role: "tool" as const,
      tool_call_id: result.tool_use_id,
      content: resultText(result),
    })),
    ...(parts.length > 0 ? [{ role: "user" as const, content: parts }] : []),
  ];
}

function toPart(block: TextBlock | ImageContent): OpenAiPart {
  if (block.type === "text") return { type: "text", text: block.text };
  const { media_type, data } = block.source;
  return { type: "image_url", image_url: { url: `data:${media_type};base64,${data}` } };
}

function toolCall({ id, name, input }: ToolUseBlock): {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
} {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

/** The text of a tool's result. */
export function resultText({ content }: ToolResultBlock): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
