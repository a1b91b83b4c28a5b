import { truncate } from "@debug-bridge/protocol";
import type { CommandContext } from "../commands/run-command.js";
import { platform } from "../inert/platform.js";
import type { BodyOf } from "../telemetry.js";
import { parentAcross } from "../view/elements/dom.js";
import type { PageView } from "../view/view.js";

type Picked = BodyOf<"picked">;

const MAX_HTML = 2_000;
const MAX_NAME = 200;
const MAX_ERRORS = 5;
const RECENT_MS = 60_000;
/** What decides how an element looks and where it is. */
const STYLES =
  "display position width height margin padding color background-color font opacity visibility z-index".split(
    " ",
  );

/** What an agent needs to know of an element that the person picked. */
export async function describePicked(
  { view, activity, loadPart }: Pick<CommandContext, "view" | "activity" | "loadPart">,
  element: Element,
): Promise<Picked> {
  const { page, masker } = view;
  const { ref, role, name, text } = view.itemOf(element);
  const computed = page.defaultView?.getComputedStyle(element);
  const styles = STYLES.map((property) => [property, computed?.getPropertyValue(property) ?? ""]);
  const source = await sourceAround(view, loadPart, element);
  const { errors } = activity.since(platform.now() - RECENT_MS);
  return {
    type: "picked",
    ...(ref === undefined ? {} : { ref }),
    role,
    name: truncate(name ?? text ?? "", MAX_NAME),
    html: view.html(element, MAX_HTML).html,
    ...(source === undefined ? {} : { source: truncate(source, MAX_NAME) }),
    styles: Object.fromEntries(styles.filter(([, value]) => value !== "")) as Record<string, string>,
    errors: errors.slice(-MAX_ERRORS).map((each) => truncate(each, MAX_NAME)),
    url: masker.url(page.location.href),
  };
}

/** For the clipboard: what a person pastes into a conversation with an agent. */
export function pickedText({ ref, role, name, html, source, styles, errors, url }: Picked): string {
  return [
    `${role} "${name}"${ref === undefined ? "" : ` (${ref})`} on ${url}`,
    ...(source === undefined ? [] : [`source: ${source}`]),
    `styles: ${Object.entries(styles)
      .map(([property, value]) => `${property}: ${value}`)
      .join("; ")}`,
    html,
    ...errors.map((error) => `recent error: ${error}`),
  ].join("\n");
}

/** Where an element was written, or the innermost one around it of which that is known. */
async function sourceAround(
  view: PageView,
  loadPart: CommandContext["loadPart"],
  element: Element,
): Promise<string | undefined> {
  const part = await loadPart("source").catch(() => undefined);
  const sourceOf = await part?.sourcesIn(view);
  for (let at: Element | null = element; part && at; at = parentAcross(at)) {
    const found = sourceOf?.(at);
    if (found && found.file !== "") return part.sourceLine(found);
  }
  return undefined;
}
