import type { Message } from "./content.js";
import { type OpenAiMessage, toOpenAi } from "./openai.js";
import type { OnStripped } from "./strip-images.js";

/** DeepSeek speaks OpenAI's form and takes no pictures: a text passes as it is. */
export function toDeepSeek(
  message: Message,
  model: string,
  images: boolean,
  onStripped: OnStripped,
): OpenAiMessage[] {
  if (typeof message.content === "string") return [message as OpenAiMessage];
  return toOpenAi(message, model, images, onStripped);
}
