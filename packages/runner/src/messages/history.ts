import type { BrowserResponse, ImageContent } from "@debug-bridge/protocol";
import { match } from "ts-pattern";
import type { ContentBlock, Message, TextBlock, ToolResultBlock } from "./content.js";

/** Stands where a picture was. */
export const IMAGE_PLACEHOLDER = "[screenshot: seen before, left out of the history]";

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
  return match<ContentBlock, ContentBlock>(block)
    .with({ type: "tool_result" }, (result) => cleanResult(result, keepImages))
    .with({ type: "text" }, { type: "image" }, (part) => cleanPart(part, keepImages))
    .with({ type: "tool_use" }, (use) => use)
    .exhaustive();
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
  return match<TextBlock | ImageContent, TextBlock | ImageContent>(part)
    .with({ type: "text" }, ({ text }) => ({ type: "text", text: cleanText(text, keepImages) }))
    .with({ type: "image" }, (image) => (keepImages ? image : { type: "text", text: IMAGE_PLACEHOLDER }))
    .exhaustive();
}

/** The one rule for text, wherever it stands: a browser response in it is cleaned, any other text stays. */
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
