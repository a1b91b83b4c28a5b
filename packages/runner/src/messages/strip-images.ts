import { type ContentBlock, countImages, isImage, type Message } from "./content.js";

/** Called when pictures are removed. */
export type OnStripped = (message: string) => void;

/** A message whose only content was a picture must not become empty. */
const NOTHING_ELSE = "[image removed: this model does not support images]";

/**
 * A message without its pictures, for a model that takes none. It is the same message when it had none; that some
 * were taken out is said.
 */
export function stripImages(message: Message, model: string, onStripped: OnStripped): Message {
  const count = countImages(message);
  if (count === 0 || typeof message.content === "string") return message;
  onStripped(
    `Stripping ${count} ${count === 1 ? "image" : "images"} from a message: ${model} does not support images`,
  );
  const content = message.content.filter((block) => !isImage(block)).map(withoutImages);
  return { ...message, content: withText(content) };
}

function withoutImages(block: ContentBlock): ContentBlock {
  if (block.type !== "tool_result" || typeof block.content === "string") return block;
  return { ...block, content: withText(block.content.filter((part) => !isImage(part))) };
}

function withText<Block extends { readonly type: string }>(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [{ type: "text", text: NOTHING_ELSE } as unknown as Block];
}
