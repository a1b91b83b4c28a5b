import type { Receipt } from "@debug-bridge/protocol";
import { beginReceipt, type ReceiptContext, type WatchedAction } from "../receipt/receipt.js";
import type { Emit } from "../telemetry.js";
import { DevOverlays } from "./dev-overlays.js";
import { type FieldContent, filledFields } from "./filled-fields.js";
import { ReadAhead } from "./read-ahead.js";
import { reportReload, stashPage } from "./reload.js";
import { stateAfter } from "./state-after.js";

/** A hot update renders in steps: the page must be quiet for so long. */
const SETTLE = { quietMs: 120, maxMs: 6_000 };

const MAX_EXPECTED = 20;

export interface EditContext extends ReceiptContext {
  readonly emit: Emit;
  /** Calls back without letting an error of ours into the app. */
  readonly guard: { run<Value>(work: () => Value): Value | undefined };
}

/** What the part of a plugin in the page reports to the engine. */
export interface EditWatch {
  /** The server is about to notify the page of the effect of an edit: an update, or that it has to be loaded again. */
  expect(edit: string): void;
  /** New code is about to run. */
  before(): void;
  /** It ran, or could not; `edits` are the ids of the edits that it was from. `isDone`: nothing of it is still on its way. */
  after(edits: readonly string[], isDone?: boolean): void;
  /** These took effect before anything was read of the page. */
  miss(edits: readonly string[]): void;
  stop(): void;
}

interface Watched {
  readonly action: WatchedAction;
  readonly fields: readonly FieldContent[];
  readonly overlays: DevOverlays;
}

/**
 * Observes what edits of the source code do to the page, and reports it. An edit that takes effect before the last one has
 * settled is reported together with it.
 */
export function watchEdits(context: EditContext): EditWatch {
  const { view, guard } = context;
  const window = view.page.defaultView as Window;
  let watched: Watched | undefined;
  let edits: string[] = [];
  let isApplying = false;
  let isWhole = true;
  let expected: string[] = [];
  let settling: AbortController | undefined;

  const finish = async (): Promise<void> => {
    const mine = new AbortController();
    settling?.abort();
    settling = mine;
    if (!watched) return;
    const { action, fields, overlays } = watched;
    const receipt = withoutBundler(await action.finish(SETTLE, mine.signal), overlays);
    // Another edit came: it will report both.
    if (settling !== mine || isApplying) return;
    // A server may update a page and have it loaded again: the next document reports both.
    if (context.activity.leaving !== undefined && isReload(receipt)) return;
    const reported = edits;
    const settled = receipt.settled && isWhole;
    watched = undefined;
    edits = [];
    expected = expected.filter((id) => !reported.includes(id));
    context.emit({
      ...{ type: "edit_effect", edits: reported, ...stateAfter(fields, receipt, context) },
      receipt: { ...receipt, settled },
    });
  };
  const miss = (ids: readonly string[]): void => {
    const receipt = { settled: false, durationMs: 0 };
    expected = expected.filter((id) => !ids.includes(id));
    if (ids.length > 0) context.emit({ type: "edit_effect", edits: [...ids], missed: true, receipt });
  };
  const readAhead = new ReadAhead(view, guard);
  const onLeave = (): void => void guard.run(() => stashPage({ ...context, readAhead }, expected));
  window.addEventListener("pagehide", onLeave);
  guard.run(() => void reportReload(context, SETTLE));

  return {
    expect(edit) {
      expected = [...expected, edit].slice(-MAX_EXPECTED);
    },
    before() {
      guard.run(() => {
        isApplying = true;
        watched ??= begin({ ...context, readAhead });
      });
    },
    after(ids, isDone = true) {
      guard.run(() => {
        isApplying = false;
        isWhole = isDone;
        if (!watched) {
          miss(ids);
          return;
        }
        edits.push(...ids);
        void finish().catch(() => {});
      });
    },
    miss: (ids) => void guard.run(() => miss(ids)),
    stop() {
      settling?.abort();
      watched?.action.cancel();
      readAhead.stop();
      window.removeEventListener("pagehide", onLeave);
    },
  };
}

const isReload = ({ navigation }: Receipt): boolean =>
  navigation !== undefined && navigation.from === navigation.to;

function begin(context: EditContext): Watched {
  const overlays = new DevOverlays(context.view);
  // The elements that changed may all be those of an overlay.
  const action = beginReceipt({ ...context, comparesLooks: true });
  overlays.readOverlays();
  return { action, fields: filledFields(context.view.page), overlays };
}

/** Lines that bundlers print about updates. */
const OF_BUNDLER = /^\[(?:vite|hmr|webpack-dev-server|rspack-dev-server|fast refresh)\]/i;

function withoutBundler(receipt: Receipt, overlays: DevOverlays): Receipt {
  overlays.readOverlays();
  const { console = [], requests = [], looks, ...rest } = overlays.without(receipt);
  const isKnown = rest.appeared || rest.vanished || rest.changed;
  // An error is shown, no matter who prints it.
  const own = console.filter(({ level, text }) => level === "error" || !OF_BUNDLER.test(text));
  const asked = requests.filter(({ url }) => !/\.hot-update\.\w+$/.test(url));
  return {
    ...rest,
    ...(looks && !isKnown ? { looks } : {}),
    ...(own.length > 0 ? { console: own } : {}),
    ...(asked.length > 0 ? { requests: asked } : {}),
  };
}
