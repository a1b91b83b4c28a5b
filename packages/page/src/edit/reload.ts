import type { Settle } from "@debug-bridge/protocol";
import { pollState } from "../commands/app-state.js";
import { platform } from "../inert/platform.js";
import { cut, happeningLists } from "../receipt/receipt-lists.js";
import { settle } from "../receipt/settle.js";
import { differences } from "../receipt/state-differences.js";
import { lineChanges } from "../view/text/reading/line-changes.js";
import { readPage } from "../view/text/reading/reading.js";
import { withoutOverlays } from "./dev-overlays.js";
import type { EditContext } from "./edit-watch.js";
import { type FieldContent, filledFields } from "./filled-fields.js";
import { stateAfter } from "./state-after.js";

const KEY = "debug-bridge.before-reload";
const MAX_LINES = 300;
const MAX_LINE = 300;
/** A page that was left longer ago is not what this one is compared with. */
const MAX_AGE_MS = 60_000;
const MAX_SHOWN = 50;

interface Stash {
  /** The ids of the edits because of which the page is loaded again, if they were announced. */
  readonly edits: readonly string[];
  readonly at: number;
  readonly url: string;
  /** What could be read, masked, without refs: they are others in another document. */
  readonly lines: readonly string[];
  readonly state: Record<string, unknown>;
  readonly fields: readonly FieldContent[];
}

/** What a document is still compared with: one that is loaded again before that was reported hands it on. */
const unreported = new WeakMap<Document, Stash>();

const withoutRefs = (line: string): string => line.replace(/(^|\[)(?:f\d+)?e\d+ /g, "$1").slice(0, MAX_LINE);

/** Keeps what the page shows for the next document, in the tab's own storage. */
export function stashPage({ view, state, readAhead }: EditContext, edits: readonly string[]): void {
  const { page } = view;
  pollState(state);
  const read = (): string[] => {
    view.tree.refresh();
    const { texts } = readAhead?.current() ?? readPage(view, false);
    return texts.slice(0, MAX_LINES).map(withoutRefs);
  };
  const pending = unreported.get(page);
  // An app can have gone elsewhere without a reload: then its next document is compared with this one.
  const earlier = pending?.url === page.location.href ? pending : undefined;
  const stash: Stash = {
    ...(earlier ?? {
      url: page.location.href,
      // Nobody sees the page now. The document that is loaded next has no error of a build.
      lines: withoutOverlays(page, read),
      state: state.all(),
      fields: filledFields(page),
    }),
    edits: [...(pending?.edits ?? []), ...edits],
    at: platform.epoch(),
  };
  page.defaultView?.sessionStorage.setItem(KEY, platform.stringify(stash));
}

/** Reports how the page differs from what it was before it was loaded again, if it was. */
export async function reportReload(context: EditContext, wish: Settle): Promise<void> {
  const { page } = context.view;
  const before = popStash(page);
  if (!before) return;
  unreported.set(page, before);
  try {
    await report(context, wish, before);
  } finally {
    unreported.delete(page);
  }
}

async function report(context: EditContext, wish: Settle, before: Stash): Promise<void> {
  const { view, state, activity, caughtUp } = context;
  const { page, watch } = view;
  const { signal } = new AbortController();
  if (page.readyState !== "complete")
    await new Promise<void>((resolve) =>
      page.defaultView?.addEventListener("load", () => resolve(), { once: true }),
    );
  const startedAt = platform.now();
  const settled = await settle({ page, watch, activity, signal, caughtUp }, startedAt, wish, 0);
  view.tree.refresh();
  pollState(state);
  const { added, removed } = lineChanges(before.lines, readPage(view, false).texts.map(withoutRefs));
  const { errors, console } = happeningLists(activity.since(0));
  const changes = differences(before.state, state.all());
  const problems = console.filter(({ level }) => level === "error" || level === "warn");
  const text = { added: added.slice(0, MAX_SHOWN), removed: removed.slice(0, MAX_SHOWN), passing: [] };
  const receipt = {
    settled,
    durationMs: Math.round(platform.now()),
    ...(added.length + removed.length > 0 ? { text } : {}),
    ...cut({ errors, console: problems, state: changes }),
  };
  const kept = stateAfter(before.fields, receipt, context);
  context.emit({ type: "edit_effect", edits: [...before.edits], reloaded: true, ...kept, receipt });
}

function popStash(page: Document): Stash | undefined {
  const store = page.defaultView?.sessionStorage;
  const text = store?.getItem(KEY);
  store?.removeItem(KEY);
  if (!text) return undefined;
  const stash = platform.parse(text) as Stash;
  const isSame = stash.url === page.location.href && platform.epoch() - stash.at < MAX_AGE_MS;
  return isSame ? stash : undefined;
}
