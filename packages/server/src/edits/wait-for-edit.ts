import { BridgeError, type CommandOf, type HubResult, receiptSummary } from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import { success } from "../dispatch/hub-results.js";
import type { EditPictures } from "../pictures/edit-pictures.js";
import type { EditResult, EditTracker } from "./edit-tracker.js";

const DEFAULT_MAX_MS = 10_000;
/** An edit that was saved longer ago is not what the client waits for. */
const RECENT_MS = 10_000;
/** A development server notices a saved file within this time: an older edit is the answer only after it. */
const NOTICE_DELAY_MS = 600;

/** Which edits each client was given already, by the sequence of the last of them. */
export type GivenEdits = Map<string, number>;

export interface EditWaiter {
  readonly client: string;
  readonly sessionId: string;
  readonly given: GivenEdits;
  readonly signal: AbortSignal;
  /** Wanted with the answer. */
  readonly pictures?: EditPictures | undefined;
}

/**
 * Answers `wait_for` with `edit`: the newest edit that was saved at most 10 s before the call and that this client was not
 * given yet, else the next one. An edit that takes effect now is waited for.
 */
export async function waitForEdit(
  command: CommandOf<"wait_for">,
  tracker: EditTracker,
  { client: connection, sessionId, given, signal, pictures }: EditWaiter,
): Promise<HubResult> {
  // In a shell every call has a separate connection.
  const client = connection.endsWith(":cli") ? "cli" : connection;
  const started = steadyNow();
  const maxMs = command.maxMs ?? command.timeoutMs ?? DEFAULT_MAX_MS;
  const matches = (files: readonly string[]): boolean =>
    isAny(command.edit) || files.some((file) => isFile(file, String(command.edit)));
  const fresh = (): EditResult[] =>
    tracker.results.filter(
      ({ at, sequence, files }) =>
        at >= started - RECENT_MS && sequence > (given.get(client) ?? 0) && matches(files),
    );
  for (;;) {
    if (signal.aborted) throw new BridgeError("cancelled", "waiting was cancelled");
    const found = fresh();
    const newest = found.at(-1);
    const waited = steadyNow() - started;
    const isAnswer = newest && (newest.at >= started || waited >= NOTICE_DELAY_MS);
    if (isAnswer && !tracker.hasOpen(matches)) {
      remember(given, client, newest.sequence);
      const result = answer(command, newest, found.slice(0, -1), started);
      return pictures ? pictures.addTo(result, newest.startedAt, command.screenshots === "both") : result;
    }
    if (waited >= maxMs) throw timeout(maxMs, command.edit, tracker.isReporting, sessionId);
    const next = newest && waited < NOTICE_DELAY_MS ? NOTICE_DELAY_MS - waited : maxMs - waited;
    await change(tracker, Math.min(next, maxMs - waited), signal);
  }
}

/** Clients come and go: those that asked last are remembered. */
const MAX_CLIENTS = 200;

function remember(given: GivenEdits, client: string, sequence: number): void {
  given.delete(client);
  given.set(client, sequence);
  const [oldest] = given.keys();
  if (given.size > MAX_CLIENTS && oldest !== undefined) given.delete(oldest);
}

const isAny = (edit: CommandOf<"wait_for">["edit"]): boolean => edit === true || edit === "true";

/** Whether a path is the one that is named by its end: `cart.ts` is `src/cart.ts` and not `src/smart-cart.ts`. */
function isFile(path: string, named: string): boolean {
  const end = named.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  return path === end || path.endsWith(`/${end}`) || end.endsWith(`/${path}`);
}

function answer(
  command: CommandOf<"wait_for">,
  { at, receipt }: EditResult,
  earlier: readonly EditResult[],
  started: number,
): HubResult {
  const ago = at < started ? `saved ${((started - at) / 1_000).toFixed(1)} s before the call` : "";
  const others = earlier.map(({ files, receipt: each }) => {
    const effects = receiptSummary(each);
    return `before it: edit ${files.join(", ")}${effects ? `: ${effects}` : ""}`;
  });
  const message = [ago, ...others].filter(Boolean).join("\n");
  return { ...success(command), receipt, ...(message ? { message } : {}) };
}

function timeout(
  maxMs: number,
  edit: CommandOf<"wait_for">["edit"],
  isReporting: boolean,
  sessionId: string,
): BridgeError {
  const what = isAny(edit) ? "no edit" : `no edit of "${edit}"`;
  const advice = isReporting
    ? "save the file after or right before the call, and check that the development server watches it"
    : `no development server reports to session "${sessionId}"; add the plugin of @debug-bridge/browser to it`;
  return new BridgeError("timeout", `waited ${maxMs} ms; ${what} took effect; ${advice}`, {
    timeoutMs: maxMs,
  });
}

function change(tracker: EditTracker, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = tracker.listen(done);
    signal.addEventListener("abort", done);
  });
}
