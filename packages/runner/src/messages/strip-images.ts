import { match } from "ts-pattern";
import { type ContentBlock, countImages, isImage, type Message } from "./content.js";

/** Hears that pictures were taken out. */
export type OnStripped = (message: string) => void;

/** A message whose only content was a picture must still say something. */
const NOTHING_ELSE = "[an image was here; this model takes none]";

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
  const content = message.content.flatMap((block) =>
    match<ContentBlock, ContentBlock[]>(block)
      .with({ type: "image" }, () => [])
      .with({ type: "tool_result" }, (result) => [
        {
          ...result,
          content:
            typeof result.content === "string"
              ? result.content
              : withText(result.content.filter((part) => !isImage(part))),
        },
      ])
      .with({ type: "text" }, { type: "tool_use" }, (kept) => [kept])
      .exhaustive(),
  );
  return { ...message, content: withText(content) };
}

function withText<Block extends { readonly type: string }>(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [{ type: "text", text: NOTHING_ELSE } as unknown as Block];
}
