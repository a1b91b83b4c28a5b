import type { BrowserResponse, ImageContent } from "@debug-bridge/protocol";
import type { ContentBlock, Message, TextBlock, ToolResultBlock } from "./content.js";

/** Replaces a picture. */
export const IMAGE_PLACEHOLDER = "[screenshot removed from the history: already seen]";

/**
 * Messages for keeping: pictures become a placeholder, except in the newest message, whose picture nobody has seen yet;
 * of browser responses the runner's own logs stay, the browser's and the metrics go.
 *
 * @example const kept = cleanHistory([...history, newest]);
 */
export function cleanHistory(messages: readonly Message[]): Message[] {
  return messages.map((message, index) => {
    const keepImages = index === messages.length - 1;
    const { content } = message;
    return {
      ...message,
      content:
        typeof content === "string"
          ? cleanText(content, keepImages)
          : content.map((block) => cleanBlock(block, keepImages)),
    };
  });
}

function cleanBlock(block: ContentBlock, keepImages: boolean): ContentBlock {
  switch (block.type) {
    case "tool_result":
      return cleanResult(block, keepImages);
    case "text":
    case "image":
      return cleanPart(block, keepImages);
    case "tool_use":
      return block;
  }
}

function cleanResult(result: ToolResultBlock, keepImages: boolean): ToolResultBlock {
  const { content } = result;
  return {
    ...result,
    content:
      typeof content === "string"
        ? cleanText(content, keepImages)
        : content.map((part) => cleanPart(part, keepImages)),
  };
}

function cleanPart(part: TextBlock | ImageContent, keepImages: boolean): TextBlock | ImageContent {
  if (part.type === "text") return { type: "text", text: cleanText(part.text, keepImages) };
  return keepImages ? part : { type: "text", text: IMAGE_PLACEHOLDER };
}

/** The rule for all text: a browser response in it is cleaned, any other text stays. */
function cleanText(text: string, keepImages: boolean): string {
  const response = responseIn(text);
  if (!response) return text;
  const { screenshots, ...rest } = response;
  const cleaned = {
    ...rest,
    logs: response.logs.filter(({ source }) => source === "tool"),
    metrics: null,
    ...(screenshots === undefined ? {} : { screenshots: keepImages ? screenshots : IMAGE_PLACEHOLDER }),
  };
  return JSON.stringify(cleaned);
}

function responseIn(text: string): BrowserResponse | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as BrowserResponse;
    const isResponse =
      typeof value.success === "boolean" && Array.isArray(value.logs) && Array.isArray(value.networkEvents);
    return isResponse ? value : undefined;
  } catch {
    return undefined;
  }
}
