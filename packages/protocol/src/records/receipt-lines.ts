import type { BuildError, Edit } from "../schema/dev-server.js";
import type { Receipt } from "../schema/receipt.js";
import { oneLine } from "./fields.js";

interface ElementLine {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

const NO_TEXT: NonNullable<Receipt["text"]> = { added: [], removed: [], passing: [] };

/** A receipt as lines that cost few tokens: `+` appeared, `-` disappeared, `~` changed. */
export function receiptLines(receipt: Receipt): string[] {
  const { appeared = [], vanished = [], changed = [], errors = [], requests = [], state = [] } = receipt;
  const { opened = [], downloads = [] } = receipt;
  const { text = NO_TEXT, looks = [] } = receipt;
  const element = ({ ref, role, name }: ElementLine): string => `${ref} ${role} "${name}"`;
  const lines = [
    ...(receipt.edit ? editLines(receipt.edit) : []),
    ...(isWithoutPage(receipt) ? [] : [settledLine(receipt)]),
    ...(receipt.navigation ? [`now at ${receipt.navigation.to}`] : []),
    ...opened.map(
      ({ url, title, sessionId }) =>
        `opened ${url}${title ? ` "${title}"` : ""}${sessionId ? ` as session ${sessionId}` : ""}`,
    ),
    ...downloads.map(
      ({ name, path, bytes, state }) =>
        `download ${name} ${state}${bytes === undefined ? "" : `, ${bytes} bytes`}${path ? ` at ${path}` : state === "done" ? ", location unknown" : ""}`,
    ),
    ...appeared.map((each) => `+ ${element(each)}`),
    ...briefly(vanished.map((each) => `- ${element(each)}`)),
    ...changed.map((each) => `~ ${element(each)} ${each.field}: "${each.before}" -> "${each.after}"`),
    ...briefly(
      withoutRepeatedRows(text.removed).map((line) => `- "${line}"`),
      vanished.length > MAX_GONE ? MAX_GONE_BESIDE : MAX_GONE,
    ),
    ...withoutRepeatedRows(text.added).map((line) => `+ "${line}"`),
    ...text.passing.map((line) => `± "${line}" came and went`),
    ...looks.filter((line) => !isFocusRing(line)).map((line) => `~ ${line}`),
    ...(receipt.compared ? ["text and looks were compared only on the screen"] : []),
    ...errors.map((text) => `error: ${text}`),
    ...(receipt.console ?? [])
      .filter(({ text }) => !requests.some(({ url }) => text.startsWith(FAILED_LOAD) && text.endsWith(url)))
      .map(({ level, text }) => `console.${level}: ${text}`),
    ...requests.map(requestLine),
    ...state.map(
      ({ scope, path, before, after }) =>
        `state ${scope}${path && `.${path}`}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ];
  const rings = looks.filter(isFocusRing).map((line) => `~ ${line}`);
  if (lines.every((line) => line === settledLine(receipt))) lines.push(...rings);
  if (receipt.omitted) lines.push(`${receipt.omitted} more entries are left out`);
  return lines;
}

/** How Chrome begins the console line of a request that failed, which has a separate line. */
const FAILED_LOAD = "Failed to load resource: ";

const ROW = "row ";
const wordsOf = (line: string): string => line.replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** A row of a table is a line of its cells, and may be one of its bare words too: the first says it all. */
function withoutRepeatedRows(lines: readonly string[]): readonly string[] {
  const rows = lines.filter((line) => line.startsWith(ROW)).map((line) => wordsOf(line.slice(ROW.length)));
  return lines.filter((line) => line.startsWith(ROW) || !rows.includes(wordsOf(line)));
}

/** What is gone is not needed one by one. */
const MAX_GONE = 4;
/** Texts beside a list of elements that is cut: they went with them. */
const MAX_GONE_BESIDE = 2;

function briefly(lines: readonly string[], max = MAX_GONE): readonly string[] {
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max - 1), `- … and ${lines.length - max + 1} more`];
}

/** The ring around what has the focus: worth a line when nothing else happened. */
const isFocusRing = (line: string): boolean => line.endsWith(": outline");

const settledLine = ({ settled, durationMs }: Receipt): string =>
  `${settled ? "settled" : "not settled"} after ${Math.round(durationMs)} ms`;

/** An edit that reached no page has nothing that could settle. */
function isWithoutPage({ edit }: Receipt): boolean {
  if (edit === undefined) return false;
  return edit.unreported === true || (edit.outcome !== "hot_update" && edit.outcome !== "full_reload");
}

/** What the outcomes of edits are called. */
export const EDIT_OUTCOME_TEXTS: Readonly<Record<string, string>> = {
  hot_update: "hot update",
  full_reload: "full reload",
  build_error: "build error",
  rebuilt: "rebuilt; the page shows it when it is loaded again",
  no_update: "the server sent pages no update",
  unused: "no page uses it",
};
const MAX_FILES = 3;

/** An edit on one line: `edit src/cart.ts: hot update`. */
export function editLine({ files, outcome = "unused", error }: Partial<Edit>): string {
  const names = listOf(files).map(String);
  const more = names.length > MAX_FILES ? ` and ${names.length - MAX_FILES} more` : "";
  const why = error?.message === undefined ? "" : `: ${placeOf(error)}${oneLine(String(error.message), 200)}`;
  return `edit ${names.slice(0, MAX_FILES).join(", ")}${more}: ${EDIT_OUTCOME_TEXTS[outcome] ?? outcome}${why}`;
}

function placeOf({ file, line }: BuildError): string {
  return file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
}

/** What an edit did besides changing the page. */
function editLines(edit: NonNullable<Receipt["edit"]>): string[] {
  const { saves, gone = [], kept, lost = [], error, recreated = 0 } = edit;
  const state = lost.length > 0 ? `state lost: ${lost.join(", ")}` : kept ? `state kept (${kept})` : "";
  return [
    `${editLine(edit)}${saves ? ` (${saves} saves, merged)` : ""}`,
    ...(error?.frame ? [error.frame.trimEnd()] : []),
    ...gone.map((text) => `error gone: ${oneLine(text, 200)}`),
    ...(state ? [state] : []),
    ...(recreated > 0
      ? [`${recreated} ${recreated === 1 ? "element" : "elements"} created again: new refs`]
      : []),
    ...(edit.unreported ? ["the page did not report what changed; observe it"] : []),
  ];
}

/** One request on one line: `POST http://localhost/orders 201 in 8 ms`. */
export function requestLine(request: {
  readonly method: string;
  readonly url: string;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly error?: string | undefined;
}): string {
  const { method, url, status, durationMs, error } = request;
  const outcome = error ?? (status === undefined ? "pending" : String(status));
  return `${method} ${url} ${outcome}${durationMs === undefined ? "" : ` in ${Math.round(durationMs)} ms`}`;
}

/** What a receipt lists, counted: `3 appeared, 1 error, POST /orders 500`. Empty when nothing changed. */
export function receiptSummary(receipt: Receipt): string {
  const { length: gone } = listOf(receipt.edit?.gone);
  const counted = (["appeared", "vanished", "changed", "errors"] as const).flatMap((key) => {
    const { length } = listOf<unknown>(receipt[key]);
    const noun = key === "errors" && length === 1 ? "error" : key;
    return length > 0 ? [`${length} ${noun}`] : [];
  });
  if (gone > 0) counted.push(`${gone} ${gone === 1 ? "error" : "errors"} gone`);
  const { added, removed, passing } = receipt.text ?? NO_TEXT;
  const lines = [added, removed, passing].reduce((sum, list) => sum + listOf(list).length, 0);
  if (lines > 0) counted.push(`${lines} ${lines === 1 ? "line" : "lines"} of text`);
  if (lines + counted.length === 0 && listOf(receipt.looks).length > 0) counted.push("looks different");
  const requests = listOf(receipt.requests).map((request) => {
    const { method, url, status } = request ?? {};
    return `${method} ${pathOf(url)} ${status ?? "…"}`;
  });
  const navigation = receipt.navigation ? [`→ ${pathOf(receipt.navigation.to)}`] : [];
  const all = [
    ...counted,
    ...requests,
    ...navigation,
    ...(receipt.settled || isWithoutPage(receipt) ? [] : ["not settled"]),
  ];
  return all.join(", ");
}

/** A recording may contain anything: a value that is not a list counts as empty. */
const listOf = <Item>(value: readonly Item[] | undefined): readonly Item[] =>
  Array.isArray(value) ? value : [];

const pathOf = (url: unknown): string => String(url).replace(/^https?:\/\/[^/]+/, "");
