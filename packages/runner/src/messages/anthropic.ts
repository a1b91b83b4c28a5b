import type { ContentBlock, Message } from "./content.js";
import { type OnStripped, stripImages } from "./strip-images.js";

/** A message for Anthropic's API, whose form is ours. */
export interface AnthropicMessage {
  role: "user" | "assistant";
  content: string | ContentBlock[];
}

/** Sonnet and Opus accept our blocks unchanged; Haiku gets none with pictures. */
export function toAnthropic(
  message: Message,
  model: string,
  images: boolean,
  onStripped: OnStripped,
): AnthropicMessage[] {
  const { role, content } = images ? message : stripImages(message, model, onStripped);
  return [{ role, content: typeof content === "string" ? content : [...content] }];
}
