import type { Receipt } from "../schema/receipt.js";

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
    `${receipt.settled ? "settled" : "not settled"} after ${Math.round(receipt.durationMs)} ms`,
    ...(receipt.navigation ? [`now at ${receipt.navigation.to}`] : []),
    ...opened.map(
      ({ url, title, sessionId }) =>
        `opened ${url}${title ? ` "${title}"` : ""}${sessionId ? ` as session ${sessionId}` : ""}`,
    ),
    ...downloads.map(
      ({ name, path, bytes, state }) =>
        `download ${name} ${state}${bytes === undefined ? "" : `, ${bytes} bytes`}${path ? ` at ${path}` : state === "done" ? ", where is not known" : ""}`,
    ),
    ...appeared.map((each) => `+ ${element(each)}`),
    ...vanished.map((each) => `- ${element(each)}`),
    ...changed.map((each) => `~ ${element(each)} ${each.field}: "${each.before}" -> "${each.after}"`),
    ...text.removed.map((line) => `- "${line}"`),
    ...text.added.map((line) => `+ "${line}"`),
    ...text.passing.map((line) => `± "${line}" came and went`),
    ...looks.map((line) => `~ ${line}`),
    ...(receipt.compared ? ["text and looks were compared only on the screen"] : []),
    ...errors.map((text) => `error: ${text}`),
    ...(receipt.console ?? []).map(({ level, text }) => `console.${level}: ${text}`),
    ...requests.map(requestLine),
    ...state.map(
      ({ scope, path, before, after }) =>
        `state ${scope}${path && `.${path}`}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ];
  if (receipt.omitted) lines.push(`${receipt.omitted} more entries are left out`);
  return lines;
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
  const counted = (["appeared", "vanished", "changed", "errors"] as const).flatMap((key) => {
    const { length } = listOf<unknown>(receipt[key]);
    const noun = key === "errors" && length === 1 ? "error" : key;
    return length > 0 ? [`${length} ${noun}`] : [];
  });
  const { added, removed, passing } = receipt.text ?? NO_TEXT;
  const lines = [added, removed, passing].reduce((sum, list) => sum + listOf(list).length, 0);
  if (lines > 0) counted.push(`${lines} ${lines === 1 ? "line" : "lines"} of text`);
  if (lines + counted.length === 0 && listOf(receipt.looks).length > 0) counted.push("looks different");
  const requests = listOf(receipt.requests).map((request) => {
    const { method, url, status } = request ?? {};
    return `${method} ${pathOf(url)} ${status ?? "…"}`;
  });
  const navigation = receipt.navigation ? [`→ ${pathOf(receipt.navigation.to)}`] : [];
  const all = [...counted, ...requests, ...navigation, ...(receipt.settled ? [] : ["not settled"])];
  return all.join(", ");
}

/** A recording may contain anything: a value that is not a list counts as empty. */
const listOf = <Item>(value: readonly Item[] | undefined): readonly Item[] =>
  Array.isArray(value) ? value : [];

const pathOf = (url: unknown): string => String(url).replace(/^https?:\/\/[^/]+/, "");
