import { type AnthropicMessage, toAnthropic } from "./anthropic.js";
import { blocksOf, type ContentBlock, type Message } from "./content.js";
import { toDeepSeek } from "./deepseek.js";
import { type GeminiContent, toGemini } from "./gemini.js";
import { type OpenAiMessage, toOpenAi } from "./openai.js";
import type { OnStripped } from "./strip-images.js";

interface ProviderMessages {
  readonly anthropic: AnthropicMessage;
  readonly openai: OpenAiMessage;
  readonly gemini: GeminiContent;
  readonly deepseek: OpenAiMessage;
}

export type Provider = keyof ProviderMessages;

export interface ProviderModel<Name extends Provider = Provider> {
  readonly provider: Name;
  readonly model: string;
  /** Whether the model accepts pictures. By default this is inferred from its name. */
  readonly images?: boolean;
  /** Called when pictures are removed from a message because the model does not accept any. */
  readonly onStripped?: OnStripped;
}

/** Whether a model accepts pictures, judging by its name. */
export function takesImages(provider: Provider, model: string): boolean {
  switch (provider) {
    case "anthropic":
      return !/haiku/i.test(model);
    case "openai":
      return !/^(o1-mini|o3-mini|gpt-3\.5|gpt-4(-\d{4})?$)/i.test(model);
    case "gemini":
      return true;
    case "deepseek":
      return false;
  }
}

/**
 * Our messages in the form of the provider they are sent to. The messages themselves stay as they are.
 *
 * @example messagesFor({ provider: "openai", model: "gpt-4o" }, history)
 */
export function messagesFor<Name extends Provider>(
  { provider, model, images = takesImages(provider, model), onStripped = () => {} }: ProviderModel<Name>,
  messages: readonly Message[],
): ProviderMessages[Name][] {
  const usable = messages.map(withoutEmpty);
  const transform = transformFor(provider, model, images, onStripped, toolNames(usable));
  return usable.flatMap(transform) as ProviderMessages[Name][];
}

type Transform = (message: Message) => ProviderMessages[Provider][];

function transformFor(
  provider: Provider,
  model: string,
  images: boolean,
  onStripped: OnStripped,
  names: ReadonlyMap<string, string>,
): Transform {
  switch (provider) {
    case "anthropic":
      return (message) => [toAnthropic(message, model, images, onStripped)].flat();
    case "openai":
      return (message) => [toOpenAi(message, model, images, onStripped)].flat();
    case "gemini": {
      const nameOf = (id: string): string => names.get(id) ?? "browser_action";
      return (message) => [toGemini(message, model, images, onStripped, nameOf)].flat();
    }
    case "deepseek":
      return (message) => [toDeepSeek(message, model, images, onStripped)].flat();
  }
}

/** Blocks without content are refused by the providers, so that none reaches them. */
function withoutEmpty(message: Message): Message {
  if (typeof message.content === "string") return message;
  const isWanted = (block: ContentBlock | null | undefined): boolean =>
    block !== null && block !== undefined && !(block.type === "text" && block.text === "");
  return message.content.every(isWanted)
    ? message
    : { ...message, content: message.content.filter(isWanted) };
}

function toolNames(messages: readonly Message[]): Map<string, string> {
  const uses = messages
    .flatMap(({ content }) => blocksOf(content))
    .filter((block) => block.type === "tool_use");
  return new Map(uses.map(({ id, name }) => [id, name]));
}
