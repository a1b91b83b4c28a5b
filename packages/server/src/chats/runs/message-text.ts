import { plural, type RunEvent } from "@debug-bridge/protocol";

type Started = Extract<RunEvent, { event: "run.started" }>["payload"];

type Shown = Pick<Started, "message" | "images" | "element">;

/** What the person wrote, for people; what they showed, in words, if they wrote nothing. */
export const messageText = (shown: Shown): string =>
  textOf(shown, ({ name, ref }) => JSON.stringify(name || ref));

/** The same for an agent, as the person's words: without the name of an element, which the page wrote. */
export const promptText = (shown: Shown): string => textOf(shown, ({ ref }) => ref);

function textOf(
  { message, images = [], element }: Shown,
  labelOf: (element: NonNullable<Shown["element"]>) => string,
): string {
  if (message.trim() !== "") return message;
  const shown = [
    ...(element === undefined ? [] : [`the element ${labelOf(element)}`]),
    ...(images.length === 0 ? [] : [plural(images.length, "picture")]),
  ];
  return shown.length === 0 ? message : `(${shown.join(" and ")})`;
}
