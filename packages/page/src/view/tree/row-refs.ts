import type { RefEntry, Refs } from "./refs.js";
import type { Context, Rows } from "./rows.js";

interface Member {
  readonly element: Element;
  readonly name: string;
  readonly traits: { readonly role: string };
  readonly item: { readonly ref?: string | undefined };
}

interface Surroundings<M> {
  readonly refs: Refs;
  readonly rows: Rows;
  /** Whether anything in the row changed since the tree was last brought up to date. */
  readonly isTouched: (row: Element) => boolean;
  /** Whether the element had this ref before. */
  readonly wasShown: (member: M) => boolean;
}

/** Those that share role and name, and with `singles` also those that share them with none. */
export function* groupsOf<M extends Member>(members: readonly M[], singles: boolean): Iterable<readonly M[]> {
  // Most are the only one of their name, and need no list.
  const byName = new Map<string, M | M[]>();
  for (const member of members) {
    const group = byName.get(member.name);
    if (!group) byName.set(member.name, member);
    else if (Array.isArray(group)) group.push(member);
    else byName.set(member.name, [group, member]);
  }
  for (const named of byName.values()) {
    if (!Array.isArray(named)) {
      if (singles) yield [named];
      continue;
    }
    const byRole = new Map<string, M[]>();
    for (const member of named) {
      const group = byRole.get(member.traits.role);
      if (group) group.push(member);
      else byRole.set(member.traits.role, [member]);
    }
    for (const group of byRole.values()) if (singles || group.length > 1) yield group;
  }
}

/** In a larger group, a row is distinguished from this many on each side. */
const MANY = 500;
const NEIGHBOURS = 100;

/** The refs that must be others, for a group of elements that share role and name; when given, only of `some`. */
export function refsInRows<M extends Member>(
  group: readonly M[],
  around: Surroundings<M>,
  some?: ReadonlySet<M>,
): Map<M, string> {
  const { refs, rows } = around;
  const others = new Map<M, string>();
  let contexts: readonly (Context | undefined)[] | undefined;
  const contextOf = (i: number): Context | undefined => {
    if (some && group.length > MANY) {
      const start = Math.max(0, i - NEIGHBOURS);
      const near = group.slice(start, i + NEIGHBOURS);
      return rows.distinguish(near.map(({ element }) => element))[i - start];
    }
    contexts ??= rows.distinguish(group.map(({ element }) => element));
    return contexts[i];
  };
  for (const [i, member] of group.entries()) {
    if (some && !some.has(member)) continue;
    const current = refs.find(member.item.ref ?? "");
    if (!current) continue;
    if (current.context ? rows.holds(current.context, member.element) : group.length === 1) continue;
    refs.areInRows = true;
    const context = group.length > 1 ? contextOf(i) : undefined;
    const entry = rightEntry(member, current, context, around);
    if (entry !== current) others.set(member, refs.named(entry));
  }
  return others;
}

function rightEntry<M extends Member>(
  member: M,
  current: RefEntry,
  context: Context | undefined,
  { refs, rows, isTouched, wasShown }: Surroundings<M>,
): RefEntry {
  const { element, name, traits } = member;
  if (!current.context) {
    // It was the only one until now. Nobody has touched its row since, so it is still in the row that was seen.
    const row = context?.row.deref();
    if (!row || !wasShown(member) || !isTouched(row)) {
      current.context = context;
      return current;
    }
  }
  const earlier = refs
    .identitiesOf(element, traits.role, name)
    .find((entry) => entry.context && rows.holds(entry.context, element));
  return earlier ?? refs.add(element, traits.role, name, context);
}
