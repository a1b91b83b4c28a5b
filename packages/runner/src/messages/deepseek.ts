import type { Message } from "./content.js";
import { type OpenAiMessage, toOpenAi } from "./openai.js";
import type { OnStripped } from "./strip-images.js";

/** DeepSeek uses OpenAI's format and accepts no pictures: text is passed unchanged. */
export function toDeepSeek(
  message: Message,
  model: string,
  images: boolean,
  onStripped: OnStripped,
): OpenAiMessage[] {
  if (typeof message.content === "string") return [message as OpenAiMessage];
  return toOpenAi(message, model, images, onStripped);
}
