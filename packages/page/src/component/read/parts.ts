/** One value of a component, by its name; hooks have numbers instead. */
export type Member = readonly [name: string, value: unknown];

/** A component as its framework keeps it. The values are the app's own. */
export interface ReadComponent {
  readonly name: string;
  /** `props`, `state`, `refs` and the like; what the framework does not expose is not in it. */
  readonly parts: readonly (readonly [label: string, members: readonly Member[]])[];
}

/** The components around an element, innermost first; `undefined` when none is known. */
export type ReadComponents = (element: Element) => readonly ReadComponent[] | undefined;

/** Enough to get from a component of a library to one of the app. */
export const MAX_COMPONENTS = 3;
/** No page has longer chains; a page that pretends it must not keep us. */
export const MAX_STEPS = 5_000;

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The own members of an object, without running getters. */
export function membersOf(value: unknown, isShown: (name: string) => boolean = () => true): Member[] {
  if (!isObject(value)) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([name, { enumerable }]) => enumerable && isShown(name))
    .map(([name, described]) => [name, "value" in described ? described.value : "(getter)"]);
}

/** The parts that have something in them. */
export const filled = (parts: ReadComponent["parts"]): ReadComponent["parts"] =>
  parts.filter(([label, members]) => label === "props" || members.length > 0);
