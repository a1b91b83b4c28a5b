import type { Receipt } from "@debug-bridge/protocol";
import type { PageView } from "../view/view.js";

/** What development servers show above an app: errors of a build, their own tools, and that they are working. */
const HOSTS =
  "nextjs-portal, vite-error-overlay, astro-dev-toolbar, nuxt-devtools-frame, #webpack-dev-server-client-overlay, #rspack-dev-server-client-overlay";
/** What they show while they work, which comes and goes. */
const WORKING = /^"?(?:Compiling|Rendering|Rebuilding)\b[ .…]*"?$/;
/** An overlay of Vite that came and went between two readings. */
const OF_OVERLAY = /^"?\[plugin:[^\]\s]+\] /;
const MAX_TEXT = 20_000;

/** What they show of an error of a build. */
const ERRORS = "vite-error-overlay, #webpack-dev-server-client-overlay, #rspack-dev-server-client-overlay";

/** Runs something while no error of a build is shown in the page. */
export function withoutOverlays<Value>(page: Document, run: () => Value): Value {
  const taken = [...page.querySelectorAll(ERRORS)].map((host) => {
    const place = page.createComment("");
    host.replaceWith(place);
    return { host, place };
  });
  try {
    return run();
  } finally {
    for (const { host, place } of taken) place.replaceWith(host);
  }
}

/** Distinguishes what development servers show from the app, so that it is no effect of an edit. */
export class DevOverlays {
  private readonly refs = new Set<string>();
  /** Elements of the app that an error of a build was shown over: that they are seen again is no effect of an edit. */
  private readonly covered = new Set<string>();
  private text = "";

  constructor(private readonly view: PageView) {}

  /** The receipt without what a development server shows. */
  without({ appeared, vanished, changed, text, ...rest }: Receipt): Receipt {
    const isOfApp = ({ ref }: { ref: string }): boolean => !this.refs.has(ref);
    const lists = {
      appeared: appeared?.filter(isOfApp) ?? [],
      vanished: vanished?.filter(isOfApp) ?? [],
      changed:
        changed?.filter(
          (each) => isOfApp(each) && !(each.field === "visible" && this.covered.has(each.ref)),
        ) ?? [],
    };
    const own = (lines: readonly string[]): string[] => lines.filter((line) => !this.shows(line));
    const read = text && {
      added: own(text.added),
      removed: own(text.removed),
      passing: own(text.passing),
    };
    return {
      ...rest,
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
      ...(read && read.added.length + read.removed.length + read.passing.length > 0 ? { text: read } : {}),
    };
  }

  /** Reads what they show now. */
  readOverlays(): void {
    const { page, tree } = this.view;
    const hosts = page.querySelectorAll(HOSTS);
    if (hosts.length === 0) return;
    for (const { element, item } of tree.entries) {
      if (!item.ref) continue;
      if (isInside(element)) this.refs.add(item.ref);
      else if (item.hiddenBy === "occluded" && isCovered(element)) this.covered.add(item.ref);
    }
    for (const host of hosts) this.text += squeezed((host.shadowRoot ?? host).textContent ?? "");
    this.text = this.text.slice(-MAX_TEXT);
  }

  private shows(line: string): boolean {
    if (OF_OVERLAY.test(line)) return true;
    if (this.refs.size === 0 && this.text === "") return false;
    const plain = line.replace(/\[?(?:f\d+)?e\d+ \w+ /g, "").replace(/^[#\s]+/, "");
    const words = squeezed(plain);
    return WORKING.test(line) || (words !== "" && this.text.includes(words));
  }
}

const squeezed = (text: string): string => text.replace(/[\s"[\]]+/g, "");

function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
  return top !== null && isInside(top);
}

function isInside(element: Element): boolean {
  for (let at: Element | null = element; at; ) {
    if (at.closest(HOSTS)) return true;
    const root: Node = at.getRootNode();
    at = "host" in root ? (root as ShadowRoot).host : null;
  }
  return false;
}
