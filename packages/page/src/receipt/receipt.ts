import { type Receipt, type Settle, truncate, type UiTreeItem } from "@debug-bridge/protocol";
import { pollState, type StateStore } from "../commands/app-state.js";
import { platform } from "../inert/platform.js";
import { isComplete, type Reading, readingChanges, readPage } from "../view/text/reading/reading.js";
import type { Difference } from "../view/tree/ui-tree-history.js";
import type { PageView } from "../view/view.js";
import type { Activity } from "./activity.js";
import { cut, happeningLists } from "./receipt-lists.js";
import { settle } from "./settle.js";
import { differences } from "./state-differences.js";

/** How long a document is not used after it started to navigate away. */
const LEAVING_TIMEOUT_MS = 1_500;

export interface ReceiptContext {
  readonly view: PageView;
  readonly activity: Activity;
  readonly state: StateStore;
  readonly caughtUp: (() => Promise<void>) | undefined;
  /** What looks different is named even when elements changed. */
  readonly comparesLooks?: boolean;
  /** What was read of the page in advance. */
  readonly readAhead?: { current(): Reading | undefined };
}

export interface WatchedAction {
  finish(wish: Settle, signal: AbortSignal): Promise<Receipt>;
  /** Stops watching, for an action that was not performed. */
  cancel(): void;
}

/**
 * Observes the effects of an action. Begin it, act, then request the receipt.
 *
 * @example
 * const watched = beginReceipt(context);
 * button.click();
 * const receipt = await watched.finish({ maxMs: 1_000 }, signal);
 */
export function beginReceipt(context: ReceiptContext): WatchedAction {
  const { view, activity, state, caughtUp } = context;
  view.tree.refresh();
  let before = context.readAhead?.current() ?? readPage(view);
  view.onScrolled = () => {
    before = readPage(view);
  };
  const { version } = view.tree;
  pollState(state);
  const stateBefore = state.all();
  const urlBefore = view.page.defaultView?.location.href ?? "";
  activity.stay();
  const stopWatching = watchLeaving(view.page, activity);
  const loading = (): Element[] =>
    [...view.page.images].filter((image) => !image.complete && image.loading !== "lazy");
  const loadingBefore = loading();
  const loadsImage = (): boolean => loading().some((image) => !loadingBefore.includes(image));
  const startedAt = platform.now();
  return {
    cancel: stopWatching,
    async finish(wish, signal) {
      const { page, watch } = view;
      const settled = await settle({ page, watch, activity, signal, caughtUp, loadsImage }, startedAt, wish);
      stopWatching();
      const durationMs = Math.round((platform.now() - startedAt) * 10) / 10;
      const tree = activity.leaving === undefined ? view.tree.refresh().since(version) : undefined;
      pollState(state);
      const happened = activity.since(startedAt);
      const urlNow = activity.leaving ?? view.page.defaultView?.location.href ?? "";
      const elements = treeLists(tree);
      const isKnown = !context.comparesLooks && Object.values(elements).some(({ length }) => length);
      const lists = {
        ...elements,
        ...happeningLists(happened),
        state: differences(stateBefore, state.all()),
      };
      const receipt: Receipt = {
        settled,
        durationMs,
        ...cut(lists),
        ...(tree ? readingFields(view, before, isKnown) : {}),
      };
      const mask = (url: string): string => view.masker.url(url);
      if (urlNow !== urlBefore || activity.leaving !== undefined)
        receipt.navigation = { from: mask(urlBefore), to: mask(urlNow) };
      return view.masker.message(receipt);
    },
  };
}

const MAX_LINES = 50;
const MAX_LINE = 500;

/** What reads and looks different. */
function readingFields(view: PageView, before: Reading, isKnown: boolean): Partial<Receipt> {
  const after = readPage(view);
  const { text, looks } = readingChanges(view, before, after, isKnown);
  const { added, removed, passing } = text;
  const fit = (lines: readonly string[]): string[] =>
    lines.slice(0, MAX_LINES).map((line) => truncate(line, MAX_LINE));
  const isWhole = isComplete(before) && isComplete(after);
  return {
    ...(added.length + removed.length + passing.length > 0
      ? { text: { added: fit(added), removed: fit(removed), passing: fit(passing) } }
      : {}),
    ...(looks.length > 0 ? { looks } : {}),
    ...(isWhole ? {} : { compared: "screen" as const }),
  };
}

/** A document that is being left cannot settle; where it goes is known before it is gone. */
function watchLeaving(page: Document, activity: Activity): () => void {
  const window = page.defaultView;
  if (!window) return () => {};
  let destination: string | undefined;
  const { navigation } = window as Window & { navigation?: EventTarget };
  const going = (event: Event): void => {
    const { destination: to, downloadRequest } = event as Event & {
      destination?: { url: string; sameDocument: boolean };
      downloadRequest?: string | null;
    };
    if (to && !to.sameDocument && downloadRequest == null) destination = to.url;
  };
  const leaving = (): void => {
    activity.leave(destination ?? window.location.href, LEAVING_TIMEOUT_MS);
  };
  const listeners: [EventTarget | undefined, string, (event: Event) => void][] = [
    [navigation, "navigate", going],
    [window, "beforeunload", leaving],
    [window, "pagehide", leaving],
  ];
  for (const [target, type, run] of listeners) target?.addEventListener(type, run);
  return () => {
    for (const [target, type, run] of listeners) target?.removeEventListener(type, run);
  };
}

type Line = { ref: string; role: string; name: string };

function lineOf(item: UiTreeItem): Line {
  return { ref: item.ref ?? "e1", role: item.role, name: truncate(item.name ?? item.text ?? "", 120) };
}

function treeLists(tree: Difference | undefined): {
  appeared: Line[];
  vanished: Line[];
  changed: (Line & { field: string; before: string; after: string })[];
} {
  if (!tree) return { appeared: [], vanished: [], changed: [] };
  const shown = (item: UiTreeItem): boolean => item.visible !== false;
  const appeared = tree.added.filter(shown).map(lineOf);
  const vanished = tree.removed.filter(shown).map(lineOf);
  const changed: (Line & { field: string; before: string; after: string })[] = [];
  for (const { before, after } of tree.changed) {
    if (shown(before) !== shown(after) && (before.hiddenBy === "hidden" || after.hiddenBy === "hidden")) {
      (shown(after) ? appeared : vanished).push(lineOf(after));
      continue;
    }
    for (const [field, from, to] of changesOf(before, after)) {
      changed.push({ ...lineOf(after), field, before: truncate(from, 200), after: truncate(to, 200) });
    }
  }
  return { appeared, vanished, changed };
}

const STATES = ["disabled", "visible"] as const;
const FIELDS = ["value", "checked", "expanded", "selected", "href", "placeholder"] as const;

function changesOf(before: UiTreeItem, after: UiTreeItem): [string, string, string][] {
  const changes: [string, string, string][] = [];
  const compare = (field: string, from: unknown, to: unknown): void => {
    if (from !== to) changes.push([field, String(from ?? ""), String(to ?? "")]);
  };
  compare("role", before.role, after.role);
  compare("name", before.name ?? before.text, after.name ?? after.text);
  if (after.name !== undefined || before.name !== undefined) compare("text", before.text, after.text);
  for (const field of STATES) compare(field, before[field], after[field]);
  for (const field of FIELDS) compare(field, before.meta?.[field], after.meta?.[field]);
  return changes;
}
