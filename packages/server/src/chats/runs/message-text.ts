import { plural, type RunEvent } from "@debug-bridge/protocol";

type Started = Extract<RunEvent, { event: "run.started" }>["payload"];

/** What the person said; what they showed, in words, if they said nothing. */
export function messageText({
  message,
  images = [],
  element,
}: Pick<Started, "message" | "images" | "element">): string {
  if (message.trim() !== "") return message;
  const shown = [
    ...(element === undefined ? [] : [`the element ${JSON.stringify(element.name || element.ref)}`]),
    ...(images.length === 0 ? [] : [plural(images.length, "picture")]),
  ];
  return shown.length === 0 ? message : `(${shown.join(" and ")})`;
}
