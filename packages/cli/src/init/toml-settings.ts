import { isDeepStrictEqual } from "node:util";
import { BridgeError } from "@debug-bridge/protocol";
import { parse, stringify } from "smol-toml";

type Table = Record<string, unknown>;

/** Settings with a table `[list.name]` at their end; everything else stays as it is, and so do fields of others in it. */
export function withTomlEntry(text: string, list: string, name: string, entry: Table): string {
  const settings = read(text);
  const known = tableOf(tableOf(settings, list) ?? {}, name);
  const wanted = { ...known, ...entry };
  if (isSame(known, wanted)) return text;
  const rest = withoutTomlEntry(text, list, name);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
  const table = `${stringify({ [list]: { [name]: wanted } }).trim()}\n`.replaceAll("\n", eol);
  const after = rest + gap + table;
  const expected = { ...settings, [list]: { ...tableOf(settings, list), [name]: wanted } };
  if (!isSame(readOrNothing(after), expected)) throw unusual(list, name, "add");
  return after;
}

/** Settings without that table and the tables below it. */
export function withoutTomlEntry(text: string, list: string, name: string): string {
  const settings = read(text);
  const entries = tableOf(settings, list);
  if (!entries || !Object.hasOwn(entries, name)) return text;
  const after = withoutLines(text.split("\n"), list, name).join("\n");
  const { [name]: _removed, ...others } = entries;
  const { [list]: _list, ...rest } = settings;
  const left = readOrNothing(after);
  const isRight =
    isSame(left, { ...rest, [list]: others }) || (Object.keys(others).length === 0 && isSame(left, rest));
  if (!isRight) throw unusual(list, name, "remove");
  return after;
}

/** Comments before the next table belong to that one. */
function withoutLines(lines: readonly string[], list: string, name: string): string[] {
  const header = new RegExp(`^\\s*\\[\\s*${list}\\s*\\.\\s*(["']?)${name}\\1\\s*[.\\]]`);
  const kept: string[] = [];
  let isOurs = false;
  let loose: string[] = [];
  for (const line of lines) {
    if (/^\s*\[/.test(line)) {
      if (isOurs) kept.push(...loose);
      isOurs = header.test(line);
      loose = [];
    }
    if (!isOurs) kept.push(line);
    else if (/^\s*(#.*)?$/.test(line)) loose.push(line);
    else loose = [];
  }
  return [...kept, ...loose];
}

function read(text: string): Table {
  try {
    return parse(text) as Table;
  } catch (thrown) {
    const [reason = ""] = (thrown as Error).message.split("\n");
    throw new BridgeError("invalid_message", `not valid settings (${reason.trim()})`);
  }
}

function readOrNothing(text: string): Table | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

function tableOf(table: Table, name: string): Table | undefined {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

/** Tables of the parser have no prototype, and those of this program have one. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function unusual(list: string, name: string, what: string): BridgeError {
  return new BridgeError(
    "not_supported",
    `it is written in a form that this program does not edit; ${what} [${list}.${name}] by hand`,
  );
}
