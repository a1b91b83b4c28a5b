/**
 * What a person or a model must know about the picture of an app, which cannot picture itself: who took it instead.
 * `undefined` for a picture of the session's own screen.
 *
 * @example pictureNote({ rendering: "dom", leftOut: 0 }) // "drawn from the DOM by another Chrome, …"
 */
export function pictureNote(value: unknown): string | undefined {
  const { rendering, session, leftOut } = Object(value) as Record<string, unknown>;
  if (typeof session === "string" && /^[\w.:@-]{1,256}$/.test(session))
    return `the picture is of session "${session}", which shows the same address`;
  if (rendering !== "dom") return undefined;
  const count = typeof leftOut === "number" && leftOut > 0 ? Math.round(leftOut) : 0;
  const boxes = count === 0 ? "" : `; images or frames that could not be read are boxes (${count})`;
  return `drawn from the DOM by another Chrome, not taken from the screen: without web fonts, background images from files, hover and focus; secrets are masked${boxes}`;
}
