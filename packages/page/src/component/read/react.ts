import {
  filled,
  isObject,
  MAX_COMPONENTS,
  MAX_STEPS,
  type Member,
  membersOf,
  type ReadComponent,
} from "./parts.js";

interface Hook {
  readonly memoizedState: unknown;
  readonly queue?: unknown;
  readonly next: Hook | null;
}
interface Context {
  readonly context?: { readonly displayName?: string };
  readonly memoizedValue: unknown;
  readonly next: Context | null;
}
interface Fiber {
  readonly tag?: number;
  readonly type?: unknown;
  readonly memoizedProps?: unknown;
  readonly memoizedState?: unknown;
  readonly stateNode?: unknown;
  readonly alternate?: Fiber | null;
  readonly return?: Fiber | null;
  readonly child?: Fiber | null;
  readonly sibling?: Fiber | null;
  readonly dependencies?: { readonly firstContext?: Context | null } | null;
  /** In development: the component that created it. One that ran on a server is no fiber. */
  readonly _debugOwner?: Fiber | ServerComponent | null;
}
interface ServerComponent {
  readonly name?: string;
  readonly props?: unknown;
  readonly owner?: Fiber | ServerComponent | null;
}

/** Those that are no longer shown are skipped; there are few. */
const MAX_OWNERS = 20;
const CLASS = 1;
const ROOT = 3;

/** The components that an element was written in, of React 17 and later. */
export function componentsOfReact(element: Element): readonly ReadComponent[] | undefined {
  const key = Object.keys(element).find((each) => each.startsWith("__reactFiber$"));
  if (key === undefined) return undefined;
  const found: ReadComponent[] = [];
  let at = above((element as unknown as Record<string, Fiber>)[key] as Fiber);
  for (let step = 0; at && found.length < MAX_COMPONENTS && step < MAX_OWNERS; step++) {
    const component = isFiber(at) ? ofFiber(at) : ofServer(at);
    if (component) found.push(component);
    at = above(at);
  }
  return found;
}

const isFiber = (at: Fiber | ServerComponent): at is Fiber => typeof (at as Fiber).tag === "number";

/** The component that created this; outside of development, the one around it. */
function above(from: Fiber | ServerComponent): Fiber | ServerComponent | undefined {
  if (!isFiber(from)) return from.owner ?? undefined;
  if (from._debugOwner !== undefined) return from._debugOwner ?? undefined;
  let at = from.return;
  for (let step = 0; at && step < MAX_STEPS; step++) {
    if (nameOf(at.type) !== undefined) return at;
    at = at.return;
  }
  return undefined;
}

/** The name of a component, empty if it has none; `undefined` for what is none. */
function nameOf(type: unknown): string | undefined {
  const { displayName, name, render, type: inner } = (type ?? {}) as Record<string, unknown>;
  if (typeof type === "function") return String(displayName ?? name ?? "");
  if (!isObject(type)) return undefined;
  if (typeof displayName === "string") return displayName;
  return typeof render === "function" || inner !== undefined ? nameOf(render ?? inner) : undefined;
}

function ofServer({ name = "", props }: ServerComponent): ReadComponent {
  return {
    name: `${name} (server component)`,
    parts: props === undefined ? [] : [["props", membersOf(props)]],
  };
}

function ofFiber(known: Fiber): ReadComponent | undefined {
  const fiber = currentOf(known);
  if (!fiber) return undefined;
  const { tag, stateNode, memoizedProps, memoizedState } = fiber;
  const isClass = tag === CLASS;
  const hooks = isClass ? NO_HOOKS : readHooks(memoizedState);
  const state = isClass ? membersOf((stateNode as { state?: unknown } | null)?.state) : hooks.state;
  const parts = filled([
    ["props", membersOf(memoizedProps)],
    ["state", state],
    ["stores", hooks.stores],
    ["refs", hooks.refs],
    ["context", contextsOf(fiber)],
  ]);
  return { name: nameOf(fiber.type) ?? "", parts };
}

/** React keeps two versions of each fiber. Which one is shown is known only from the root. */
function currentOf(fiber: Fiber): Fiber | undefined {
  const path = [fiber];
  for (let at = fiber.return; at && path.length < MAX_STEPS; at = at.return) path.push(at);
  const root = path.pop();
  if (root?.tag !== ROOT) return undefined;
  let now = (root.stateNode as { current?: Fiber }).current;
  for (const wanted of path.reverse()) {
    let child = now?.child;
    for (let step = 0; child && child !== wanted && child !== wanted.alternate; step++)
      child = step < MAX_STEPS ? child.sibling : undefined;
    if (!child) return undefined;
    now = child;
  }
  return now;
}

interface Hooks {
  readonly state: Member[];
  readonly stores: Member[];
  readonly refs: Member[];
}
const NO_HOOKS: Hooks = { state: [], stores: [], refs: [] };

/** Hooks have no names: each kind is numbered in the order of the code. Effects and memos are left out. */
function readHooks(first: unknown): Hooks {
  const hooks: Hooks = { state: [], stores: [], refs: [] };
  const add = (to: Member[], value: unknown): void => void to.push([String(to.length + 1), value]);
  let hook = first as Hook | null | undefined;
  for (let step = 0; isObject(hook) && "next" in hook && step < MAX_STEPS; step++) {
    const { memoizedState: value, queue } = hook;
    if (isObject(queue) && "lastRenderedReducer" in queue) add(hooks.state, value);
    else if (isObject(queue) && "getSnapshot" in queue) add(hooks.stores, value);
    else if (isObject(value) && Object.keys(value).join() === "current")
      add(hooks.refs, (value as { current: unknown }).current);
    hook = hook.next;
  }
  return hooks;
}

function contextsOf({ dependencies }: Fiber): Member[] {
  const contexts: Member[] = [];
  let at = dependencies?.firstContext;
  for (let step = 0; at && step < MAX_STEPS; step++) {
    contexts.push([at.context?.displayName ?? String(contexts.length + 1), at.memoizedValue]);
    at = at.next;
  }
  return contexts;
}
