import type { ImageContent } from "@debug-bridge/protocol";

/** Messages as we keep them, in Anthropic's form. Each provider's own form is made when a message is sent to it. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string | (TextBlock | ImageContent)[];
  readonly is_error?: boolean;
}

export type ContentBlock = TextBlock | ImageContent | ToolUseBlock | ToolResultBlock;

export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string | readonly ContentBlock[];
}

export const isImage = (block: { readonly type: string }): block is ImageContent => block.type === "image";

/** A message's content as blocks, so that the same code handles both forms. */
export function blocksOf(content: Message["content"]): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** How many pictures a message has, including those in tool results. */
export function countImages({ content }: Message): number {
  return blocksOf(content)
    .flatMap((block): readonly ContentBlock[] =>
      block.type === "tool_result" && typeof block.content !== "string" ? block.content : [block],
    )
    .filter(isImage).length;
}
