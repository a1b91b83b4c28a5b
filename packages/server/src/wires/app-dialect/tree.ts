import { type Difference, sameItem } from "@debug-bridge/driver";
import { type DialectItem, FIELD_LIMITS, MASK, truncate, type UiTreeItem } from "@debug-bridge/protocol";
import { isSecretField, maskText } from "./masking.js";

/** Versions of the tree that `since` can refer to. */
const MAX_KEPT = 20;
/** Room for the note that says how much was cut. */
const MAX_LINE = FIELD_LIMITS.line - 100;

const ROLE_OF_TAG: Readonly<Record<string, string>> = { a: "link", select: "combobox", textarea: "textbox" };
const ROLE_OF_TYPE: Readonly<Record<string, string>> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};

/** How the SDK finds an element. */
export interface DialectAddress {
  readonly stableId?: string;
  readonly selector?: string;
}

interface Entry {
  readonly item: UiTreeItem;
  /** `undefined` when the SDK has no name for it that is its own. */
  readonly address: DialectAddress | undefined;
}

/**
 * The elements that the page listed last. The SDK's ids need not be unique: two buttons with the same text have the same one.
 * Such elements get numbers here, together with how many they are. When that changes nobody knows which of them left, so their ids
 * and refs change too, and old ones are stale.
 */
export class DialectTree {
  private entries: readonly Entry[] = [];
  private readonly refs = new Map<string, string>();
  private readonly kept = new Map<number, readonly UiTreeItem[]>();
  private nextRef = 1;
  version = 0;

  get items(): readonly UiTreeItem[] {
    return this.entries.map(({ item }) => item);
  }

  addressOf(item: UiTreeItem): DialectAddress | undefined {
    return this.entries.find((entry) => entry.item.id === item.id)?.address;
  }

  /** Whether a ref was ever given, for an element that may have left. */
  knows(ref: string): boolean {
    return [...this.refs.values()].includes(ref);
  }

  update(listed: readonly DialectItem[]): void {
    const shown = listed.filter(({ meta }) => meta?.type !== "hidden").slice(0, FIELD_LIMITS.uiItems);
    const ids = count(shown.map(({ stableId }) => stableId));
    const selectors = count(shown.map(({ selector }) => selector));
    const seen = new Map<string, number>();
    const entries = shown.map((listedItem): Entry => {
      const { stableId, selector } = listedItem;
      const total = ids.get(stableId) ?? 1;
      const index = (seen.get(stableId) ?? 0) + 1;
      seen.set(stableId, index);
      const own = truncate(stableId || "element", MAX_LINE);
      const id = total === 1 ? own : `${own}~${index}of${total}`;
      const address = addressOf(stableId, total === 1, selector, selectors.get(selector) === 1);
      const item = itemOf(listedItem, id);
      return { item: { ...item, ref: this.refOf(item) }, address };
    });
    const before = this.items;
    this.entries = entries;
    const isSame =
      before.length === entries.length &&
      entries.every(({ item }, i) => sameItem(item, before[i] as UiTreeItem));
    if (this.version > 0 && isSame) return;
    this.kept.set(++this.version, this.items);
    this.kept.delete(this.version - MAX_KEPT);
  }

  /** How the tree differs from an earlier version; `undefined` when that is not kept. */
  since(version: number): Difference | undefined {
    const before = this.kept.get(version);
    return before && differenceOf(before, this.items);
  }

  /** An element with another role or name is another element. */
  private refOf({ id, role, name, text }: UiTreeItem): string {
    const key = JSON.stringify([id, role, name ?? text]);
    const known = this.refs.get(key);
    if (known !== undefined) return known;
    const ref = `e${this.nextRef++}`;
    this.refs.set(key, ref);
    const [oldest] = this.refs.keys();
    if (this.refs.size > 4 * FIELD_LIMITS.uiItems && oldest !== undefined) this.refs.delete(oldest);
    return ref;
  }
}

export function differenceOf(before: readonly UiTreeItem[], after: readonly UiTreeItem[]): Difference {
  const old = new Map(before.map((item) => [item.ref, item]));
  const difference: Difference = { added: [], removed: [], changed: [] };
  for (const item of after) {
    const was = old.get(item.ref);
    old.delete(item.ref);
    if (!was) difference.added.push(item);
    else if (!sameItem(was, item)) difference.changed.push({ before: was, after: item });
  }
  difference.removed.push(...old.values());
  return difference;
}

function count(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The SDK puts ids into selectors without escaping them. */
const SAFE_ID = /^[\w-]{1,200}$/;

function addressOf(
  stableId: string,
  isOnlyId: boolean,
  selector: string,
  isOnlySelector: boolean,
): DialectAddress | undefined {
  if (isOnlyId && SAFE_ID.test(stableId)) return { stableId };
  if (!isOnlySelector || selector === "" || selector.includes("::shadow")) return undefined;
  // Its paths end below the body; only with it they lead to one element.
  return { selector: selector.startsWith("#") ? selector : `body > ${selector}` };
}

function itemOf(
  { role, text, label, disabled, visible, checked, value, selector, meta = {} }: DialectItem,
  id: string,
) {
  const tag = textOf(meta.tagName);
  const type = textOf(meta.type);
  const isField = tag === "input" || tag === "textarea" || tag === "select";
  const isTextField = tag === "textarea" || (tag === "input" && ROLE_OF_TYPE[type ?? ""] !== "button");
  const names = [textOf(label), textOf(meta.placeholder), textOf(meta.name)];
  const held = textOf(value);
  const isSecret = isField && isSecretField(type, [...names, id]);
  const name = names.find((each) => each !== undefined);
  const itemText = isField ? (isTextField || tag === "select" ? undefined : held) : textOf(text);
  const item: UiTreeItem = {
    id,
    selector: truncate(selector, MAX_LINE),
    role: roleOf(truncate(role, MAX_LINE), tag, type),
    disabled: disabled === true,
    visible: visible !== false,
    ...(itemText === undefined ? {} : { text: itemText }),
    ...(name === undefined || (itemText !== undefined && label === undefined) ? {} : { name }),
    ...(visible === false ? { hiddenBy: "hidden" as const } : {}),
    meta: {
      ...(tag === undefined ? {} : { tagName: tag }),
      ...(type === undefined ? {} : { type }),
      ...(textOf(meta.name) === undefined ? {} : { name: textOf(meta.name) }),
      ...(textOf(meta.placeholder) === undefined ? {} : { placeholder: textOf(meta.placeholder) }),
      ...(tag === "a" && textOf(meta.href) !== undefined ? { href: maskText(textOf(meta.href) ?? "") } : {}),
      ...(type === "checkbox" || type === "radio" ? { checked: checked === true } : {}),
      ...((isTextField || tag === "select") && type !== "checkbox" && type !== "radio" && held !== undefined
        ? { value: isSecret ? MASK : held }
        : {}),
    },
  };
  return item;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? truncate(value, MAX_LINE) : undefined;
}

function roleOf(role: string, tag: string | undefined, type: string | undefined): string {
  if (tag === undefined || role !== tag) return role;
  if (tag === "input") return ROLE_OF_TYPE[type ?? ""] ?? "textbox";
  return ROLE_OF_TAG[tag] ?? tag;
}
