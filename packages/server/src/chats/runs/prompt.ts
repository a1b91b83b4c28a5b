import { fence, type PickedElement, type RunContext, truncate } from "@debug-bridge/protocol";
import { answerOf, type Turn } from "./turns.js";

const MAX_SUMMARY_CHARACTERS = 24_000;
const MAX_TEXT_CHARACTERS = 4_000;

/** What the provider gets: the person's message, and what they selected or picked in the page, fenced as page content. */
export function promptOf(
  message: string,
  context: RunContext | undefined,
  element?: PickedElement | undefined,
): string {
  const { selection = "", url } = context ?? {};
  // No model takes an empty message.
  const parts = [message.trim() === "" ? "(The person wrote nothing. What they show is below.)" : message];
  if (selection !== "") parts.push(fence(selection, { url: url ?? "" }));
  if (element) parts.push(fence(elementText(element), "the page"));
  return parts.join("\n\n");
}

/** An element that the person picked. Its name, its source and its HTML are what the page says. */
function elementText({ sessionId, ref, role, name, source, html, imageIndex }: PickedElement): string {
  return [
    `The person picked this element: ${ref} ${role} ${JSON.stringify(name)}`,
    `session: ${sessionId}`,
    ...(source === undefined ? [] : [`source: ${source}`]),
    ...(imageIndex === undefined ? [] : [`it is shown in picture ${imageIndex + 1} of the message`]),
    ...(html === undefined ? [] : [html]),
  ].join("\n");
}

/** What the transcript keeps of an element. */
export function mentionOf({
  ref,
  name,
  source,
}: PickedElement): Pick<PickedElement, "ref" | "name" | "source"> {
  return { ref, name, ...(source === undefined ? {} : { source }) };
}

/** The newest turns of a conversation, for a provider that does not know it. Older turns are left out first. */
export function withSummary(turns: readonly Turn[], prompt: string): string {
  const parts: string[] = [];
  let room = MAX_SUMMARY_CHARACTERS;
  for (const turn of [...turns].reverse()) {
    const text = `Person: ${truncate(turn.message, MAX_TEXT_CHARACTERS)}\nYou: ${truncate(answerOf(turn), MAX_TEXT_CHARACTERS)}`;
    if (text.length > room) break;
    room -= text.length;
    parts.unshift(text);
  }
  if (parts.length === 0) return prompt;
  const left = turns.length - parts.length;
  const omitted = left > 0 ? `(${left} earlier messages are left out.)\n\n` : "";
  return `This conversation started earlier. What was said so far:\n\n${omitted}${parts.join("\n\n")}\n\nThe person now says:\n\n${prompt}`;
}
