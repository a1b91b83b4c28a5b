import { isComponentOfPreact, nameOfPreact, preactNodes } from "../../source/frameworks/preact.js";
import {
  filled,
  isObject,
  MAX_COMPONENTS,
  MAX_STEPS,
  type Member,
  membersOf,
  type ReadComponent,
} from "./parts.js";

/** A component with the names that Preact's published code has. */
interface Instance {
  readonly props?: unknown;
  readonly state?: unknown;
  readonly __H?: { readonly __?: readonly HookState[] };
}
interface HookState {
  readonly __?: unknown;
  /** The component: only hooks that hold state have it. */
  readonly __c?: unknown;
}

/** The components around an element of Preact. */
export function componentsOfPreact(element: Element): readonly ReadComponent[] | undefined {
  const node = preactNodes()(element);
  if (!node) return undefined;
  const found: ReadComponent[] = [];
  let at = node.__;
  for (let step = 0; at && found.length < MAX_COMPONENTS && step < MAX_STEPS; step++) {
    if (isComponentOfPreact(at)) found.push({ name: nameOfPreact(at), parts: partsOf(at.__c as Instance) });
    at = at.__;
  }
  return found;
}

/** Hooks have no names: each kind is numbered in the order of the code. Effects and memos are left out. */
function partsOf({ props, state, __H }: Instance): ReadComponent["parts"] {
  const held: Member[] = [];
  const refs: Member[] = [];
  for (const { __: value, __c: owner } of __H?.__ ?? []) {
    if (owner && Array.isArray(value)) held.push([String(held.length + 1), value[0]]);
    else if (isObject(value) && Object.keys(value).join() === "current")
      refs.push([String(refs.length + 1), (value as { current: unknown }).current]);
  }
  return filled([
    ["props", membersOf(props)],
    ["state", [...membersOf(state), ...held]],
    ["refs", refs],
  ]);
}
