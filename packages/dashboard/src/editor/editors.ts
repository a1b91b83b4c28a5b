/** A place in a file of this machine. */
export interface FilePlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

interface Editor {
  readonly name: string;
  readonly address: (place: FilePlace) => string;
}

/** `vscode://file/home/ada/shop/cart.ts:42:7` */
const byPath =
  (scheme: string) =>
  ({ file, line, column }: FilePlace): string =>
    `${scheme}://file${escapedPath(file)}${isPlace(line) ? suffix(line) + suffix(column) : ""}`;

/** `idea://open?file=/home/ada/shop/cart.ts&line=42` */
const byQuery =
  (scheme: string) =>
  ({ file, line, column }: FilePlace): string =>
    `${scheme}://open?file=${encodeURIComponent(file)}${field("line", line)}${field("column", column)}`;

/** The editors that can be opened by an address. No scheme ever comes from a page or a recording. */
export const EDITORS = {
  vscode: { name: "VS Code", address: byPath("vscode") },
  cursor: { name: "Cursor", address: byPath("cursor") },
  zed: { name: "Zed", address: byPath("zed") },
  idea: { name: "IntelliJ IDEA", address: byQuery("idea") },
  webstorm: { name: "WebStorm", address: byQuery("webstorm") },
  sublime: {
    name: "Sublime Text",
    address: ({ file, line, column }) =>
      `subl://open?url=${encodeURIComponent(`file://${escapedPath(file)}`)}${field("line", line)}${field("column", column)}`,
  },
} as const satisfies Readonly<Record<string, Editor>>;

export type EditorId = keyof typeof EDITORS;

/** The address that opens a place in an editor. */
export const editorAddress = (editor: EditorId, place: FilePlace): string => EDITORS[editor].address(place);

/** `/home/ada/my%20shop`; `/C:/shop` of a path of Windows. */
function escapedPath(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/");
  const drive = /^[a-z]:$/i.test(parts[0] ?? "") ? parts.shift() : undefined;
  const path = parts.map(encodeURIComponent).join("/");
  return drive === undefined ? `/${path.replace(/^\//, "")}` : `/${drive}/${path}`;
}

const suffix = (value: number | undefined): string => (isPlace(value) ? `:${value}` : "");
const field = (name: string, value: number | undefined): string =>
  isPlace(value) ? `&${name}=${value}` : "";
const isPlace = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;
