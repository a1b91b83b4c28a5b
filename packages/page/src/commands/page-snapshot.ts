import { BridgeError, type CommandOf, type CommandOutcome } from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { platform } from "../inert/platform.js";
import { isOn } from "../options.js";
import { EVENT, emptyMutation, NODE } from "../replay/events.js";
import { ReplayRecorder } from "../replay/recorder.js";
import { shownImages } from "../replay/shown-images.js";
import { rulesOfAll } from "../replay/style-sheets.js";
import type { PageView } from "../view/view.js";
import type { CommandContext } from "./run-command.js";

/** In bytes of a message; the rest of the message fits beside it. */
const MAX_BYTES = 3.5 * 1_024 * 1_024;

/**
 * The whole page as it is now, masked as in a replay, with what its images show: for a picture that somebody else draws.
 */
export function pageSnapshot(command: CommandOf<"page_snapshot">, context: CommandContext): CommandOutcome {
  const { view, capture } = context;
  if (!isOn(capture.options, "enableReplay"))
    throw new BridgeError("not_supported", "this app does not send what it looks like: enableReplay is off");
  const { page, masker } = view;
  const target = command.target && resolveTarget(view, command.target);
  const { events, idOf, nextId } = new ReplayRecorder(view, capture.guard, () => {}).whole();
  const of = target && idOf(target);
  if (target && of === undefined)
    throw new BridgeError("not_supported", "the element is private, so pictures do not show it");
  const roots = rootsOf(page);
  const isKnown = (element: Element): boolean => idOf(element) !== undefined;
  const { images, leftOut } = shownImages(roots, view, command.fullPage || !!target, isKnown);
  const more = emptyMutation();
  for (const { element, data } of images)
    more.attributes.push({
      id: idOf(element) as number,
      attributes: { [element.localName === "img" ? "src" : "rr_dataURL"]: data },
    });
  for (const root of roots) {
    const parentId = idOf(root === page ? page.documentElement : root);
    if (parentId === undefined || root.adoptedStyleSheets.length === 0) continue;
    const attributes = { _cssText: rulesOfAll(root.adoptedStyleSheets, masker) };
    const node = { type: NODE.element, id: nextId(), tagName: "style", attributes, childNodes: [] } as const;
    more.adds.push({ parentId, nextId: null, node: root === page ? node : { ...node, isShadow: true } });
  }
  events.push(platform.stringify({ type: EVENT.incremental, data: more, timestamp: platform.epoch() }));
  const text = `[${events.join(",")}]`;
  if (bytesIn(text) > MAX_BYTES)
    throw new BridgeError(
      "too_large",
      `the page is larger than the ${MAX_BYTES} bytes that fit. Use observe`,
    );
  const { matchMedia } = page.defaultView as Window;
  return {
    value: {
      events: text,
      leftOut,
      isDark: matchMedia.call(page.defaultView, "(prefers-color-scheme: dark)").matches,
      isQuirky: page.compatMode === "BackCompat",
      ...(of === undefined ? {} : { of }),
      ...(command.labels ? { labels: labelsOf(view, idOf) } : {}),
    },
  };
}

/** How many bytes a text takes as JSON, at most: a character that is not ASCII has up to three. */
function bytesIn(text: string): number {
  const { length } = platform.stringify(text);
  return length + 2 * (text.length - text.replace(/[^\x00-\x7f]/g, "").length);
}

function rootsOf(page: Document): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [page];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
  return roots;
}

function labelsOf(view: PageView, idOf: (node: Node) => number | undefined): [ref: string, id: number][] {
  return view.tree.refresh().entries.flatMap(({ element, item }): [string, number][] => {
    const id = idOf(element);
    return item.visible === false || item.ref === undefined || id === undefined ? [] : [[item.ref, id]];
  });
}
